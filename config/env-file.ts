import { readFileSync } from 'node:fs'
import { configError, unreadable } from '../services/config-error.ts'
import type { Environment } from './read.ts'

/**
 * An empty line, a comment or `NAME=value`, with the meaning that Node's `parseEnv` gives it. Unlike `parseEnv`, which
 * skips other lines or joins them to a name, it matches nothing else. A quoted value may have several lines.
 */
const LINE =
  /[ \t]*(?:#[^\n]*)?\n| *(?:export )?(?<name>[A-Za-z_]\w*) *= *(?:(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|`(?<back>[^`]*)`)[ \t]*|(?<plain>[^\s"'`#][^\n#]*)?)(?:(?<=\s)#[^\n]*)?\n/y

/** A line within a quoted value that was probably meant to set a variable, because a quote is missing above it. */
const SWALLOWED = /\n *(?:export )?[A-Z][A-Z0-9_]* *=/

/** Characters of other encodings, and those that no setting contains. */
const NOT_TEXT = /[^\P{Cc}\t\n]|\ufffd/u

/**
 * Reads a `.env` file, which may be missing (interface 1.27).
 * @throws ConfigError with the number of the first invalid line, without its content, which may be a secret
 */
export function readEnvFile(path: string): Environment {
  const text = readText(path)
  const lineOf = (index: number) => text.slice(0, index).split('\n').length
  const refuse = (index: number, wrong: string, expected: string) =>
    configError(`${path} line ${lineOf(index)}`, wrong, expected)
  const broken = text.search(NOT_TEXT)
  if (broken >= 0) throw refuse(broken, 'has a control character or invalid UTF-8', 'a file in UTF-8')
  const values = new Map<string, { value: string; index: number }>()
  for (let index = 0; index < text.length; index = LINE.lastIndex) {
    LINE.lastIndex = index
    const groups = LINE.exec(text)?.groups
    if (groups === undefined)
      throw refuse(
        index,
        'is neither empty, a comment nor NAME=value',
        '`#` before a comment, and closed quotes around a value with `#` or quotes'
      )
    const { name, double, single, back, plain = '' } = groups
    if (name === undefined) continue
    const value = double?.replaceAll('\\n', '\n') ?? single ?? back ?? plain
    if (SWALLOWED.test(double ?? single ?? back ?? ''))
      throw refuse(index, 'has a quoted value that contains another NAME=value', 'a closing quote')
    const former = values.get(name)
    if (former !== undefined)
      throw refuse(index, `sets the same variable as line ${lineOf(former.index)}`, 'only one of them')
    values.set(name, { value, index })
  }
  return Object.fromEntries([...values].map(([name, { value }]) => [name, value]))
}

/** Returns the lines of the file, each with a line feed, without a byte order mark. */
function readText(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    return `${text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')}\n`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw configError(path, unreadable(error, path), 'a readable file, or no file')
  }
}
