import pino from 'pino'

/** Container runtimes split what is longer. */
const LONGEST_WRITE = 16 * 1024

const stdout = pino.destination({ sync: false })
let lines = ''

function flush(): void {
  if (lines !== '') stdout.write(lines)
  lines = ''
}

/** Gets whole lines. */
export interface LogStream {
  write(line: string): void
}

/**
 * Standard output. The lines of one turn of the event loop are one write, because a write for each line
 * costs as much as an answer from memory. A process that ends writes its last lines; one that is killed cannot.
 */
export const logStream = {
  write(line: string): void {
    if (lines === '') setImmediate(flush)
    else if (lines.length + line.length > LONGEST_WRITE) flush()
    lines += line
  },

  flushSync(): void {
    if (lines === '') return
    flush()
    stdout.flushSync()
  }
}

process.once('exit', logStream.flushSync)
