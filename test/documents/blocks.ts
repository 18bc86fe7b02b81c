import { filesOf, read } from '../helpers/repository.ts'

export interface Block {
  /** Path relative to the repository root, and the line of the opening fence. */
  readonly at: string
  readonly path: string
  /** The words after the opening fence: the language, and how tests use the block. */
  readonly kind: string
  /** The lines between the fences, without the indentation of the opening fence. */
  readonly text: string
}

export const documents = (): string[] => filesOf('*.md')

export function blocksOf(path: string, document = read(path)): Block[] {
  const blocks: Block[] = []
  const lines = document.split('\n')
  for (let line = 0; line < lines.length; line++) {
    const [, indent = '', fence, kind = ''] = /^(\s*)(```+|~~~+)(.*)$/.exec(lines[line] ?? '') ?? []
    if (fence === undefined) continue
    const start = line
    const ends = new RegExp(`^\\s*${fence}\\s*$`)
    const end = lines.findIndex((text, index) => index > start && ends.test(text))
    if (end === -1) throw new Error(`${path}:${start + 1}: the block has no closing fence`)
    const inside = lines.slice(start + 1, end).map(text => text.replace(new RegExp(`^${indent}`), ''))
    blocks.push({ at: `${path}:${start + 1}`, path, kind: kind.trim(), text: `${inside.join('\n')}\n` })
    line = end
  }
  return blocks
}
