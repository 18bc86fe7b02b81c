import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The maps of files that occurred in a stack; undefined for those that have none. */
const maps = new Map<string, SourceMap | undefined>()

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')))
  } catch {
    return undefined
  }
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file))
  return maps.get(file)
}

/** A frame as the engine writes it, with the position in the source in place of that in the bundle. */
function withSource(frame: NodeJS.CallSite): string {
  const text = String(frame)
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()]
  if (!file?.startsWith('file:') || line === null || column === null) return text
  const entry = mapOf(file)?.findEntry(line - 1, column - 1)
  // The maps of packages are empty.
  if (entry === undefined || !('originalSource' in entry) || entry.originalSource === '') return text
  const source = fileURLToPath(new URL(entry.originalSource, file))
  return text.replace(
    `${file}:${line}:${column}`,
    `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  )
}

function titleOf(error: Error): string {
  try {
    return String(error)
  } catch {
    return 'an error that cannot be written'
  }
}

/**
 * Lets the stacks of a bundled process name its source files. The maps are read when a stack is, unlike with
 * `--enable-source-maps`, which reads all of them before the first line runs: a tenth of the start and 2 MB.
 */
export function nameSourcesInStacks(): void {
  Error.prepareStackTrace = (error, frames) =>
    [titleOf(error), ...frames.map(frame => `    at ${withSource(frame)}`)].join('\n')
}
