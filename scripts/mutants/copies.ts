import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../test/helpers/repository.ts'

/** An error on one line. Lines are without the space around them. */
export interface Mutant {
  id: number
  file: string
  line: string
  /** Which of the file's `of` lines with this content, from 1. */
  occurrence: number
  of: number
  mutated: string
}

export const LIST = join(import.meta.dirname, 'list.jsonl')
export const PRODUCT = /^(app|server|index|bin|(config|plugins|routes|schemas|services)\/.*)\.ts$/

export const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', maxBuffer: 2 ** 28 }).trim()

export const filesOf = (copy: string): string[] => git(copy, 'ls-files').split('\n')

/** Returns a clean copy of the repository at a commit, with its packages; a copy that exists is used again. */
export function copyOf(commit: string, name: string): string {
  const copy = join(tmpdir(), `mutants-${commit.slice(0, 8)}-${name}`)
  const inCopy = (command: string) =>
    execFileSync('sh', ['-c', command], { cwd: copy, stdio: ['ignore', 2, 2] })
  if (!existsSync(copy)) {
    git(root, 'clone', '--quiet', '--shared', '--no-checkout', root, copy)
    git(copy, 'checkout', '--quiet', '--detach', commit)
    const [own, other] = [root, copy].map(folder => readFileSync(join(folder, 'package-lock.json'), 'utf8'))
    const link = `cd ${root} && find . -name node_modules -prune -exec cp -al --parents {} ${copy} \\;`
    inCopy(own === other ? link : 'npm ci && npx tap build')
    inCopy('rm -rf node_modules/.cache && npm run client-types')
  }
  git(copy, 'checkout', '--quiet', '.')
  return copy
}

/** Returns the index of a mutant's line, or undefined if the line, or the number of its like, has changed. */
export function indexOf({ line, occurrence, of }: Mutant, source: string): number | undefined {
  const indexes = [...source.split('\n').entries()].filter(([, text]) => text.trim() === line)
  return indexes.length === of ? indexes[occurrence - 1]?.[0] : undefined
}

/** Returns the file that has a mutant's line: its own, or else the only one that the line has moved to. */
export function fileOf(mutant: Mutant, copy: string): string | undefined {
  const has = (file: string) => indexOf(mutant, readFileSync(join(copy, file), 'utf8')) !== undefined
  const others = filesOf(copy).filter(file => PRODUCT.test(file) && has(file))
  return others.includes(mutant.file) ? mutant.file : others.length === 1 ? others[0] : undefined
}

/** Returns a source file with a mutant's line in place of the original. */
export function mutate(mutant: Mutant, source: string): string | undefined {
  const index = indexOf(mutant, source)
  if (index === undefined) return undefined
  return source
    .split('\n')
    .map((text, at) => (at === index ? text.replace(mutant.line, () => mutant.mutated) : text))
    .join('\n')
}
