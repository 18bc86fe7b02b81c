import { HistoryPrunedError, NodeUnavailableError } from '../../../services/chain-client/index.ts'
import { ServiceError } from '../../../services/errors/index.ts'
import type { Logger } from '../../../services/logger.ts'
import { ForeignChainError } from '../../../services/submission/opinions/blocks.ts'
import type { Trace } from '../trace.ts'
import { StoreFault } from './guarded-store.ts'
import type { Process } from './process.ts'

/** Whether the simulation caused the error itself. */
export function isExpectedFault(error: unknown): boolean {
  return (
    error instanceof StoreFault ||
    (error instanceof ServiceError && error.code === 'SUBMISSION_UNKNOWN') ||
    error instanceof NodeUnavailableError ||
    // Thrown at a start while only a node of another chain responds; the engine tries again after a second.
    error instanceof ForeignChainError ||
    error instanceof HistoryPrunedError
  )
}

function wordField(_key: string, value: unknown): unknown {
  if (value instanceof Error) return String(value)
  return typeof value === 'string' && /^[0-9A-F]{64}$/.test(value) ? value.slice(0, 8) : value
}

/** Writes the engine's log to the trace; an error that the simulation did not cause is a failure. */
export function createWatchedLog(options: {
  process: Process
  trace: Trace
  fail: (reason: string) => void
}): Logger {
  const { process, trace, fail } = options

  function method(level: string) {
    return (fields: object, message: string) => {
      if (!process.isAlive) return
      trace(() => `${process.name}: ${level}: ${message} ${JSON.stringify(fields, wordField)}`)
      // A single lying node changes nothing, and data read from blocks is the chain's own.
      if (
        message.startsWith('the next sequence') ||
        ('blocker' in fields && fields.blocker === 'sequence-differs')
      )
        fail(`the sequence of the store is doubted: ${message}`)
      // Calls that a leader has in flight when its term ends are only logged at debug level.
      if (level !== 'debug' && 'err' in fields && !isExpectedFault(fields.err))
        fail(`the engine met an error: ${fields.err}`)
    }
  }

  return { debug: method('debug'), info: method('info'), warn: method('warn'), error: method('error') }
}
