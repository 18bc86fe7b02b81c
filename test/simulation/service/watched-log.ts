import { HistoryPrunedError, NodeUnavailableError } from '../../../services/chain-client/index.ts'
import { ServiceError } from '../../../services/errors/index.ts'
import type { Logger } from '../../../services/logger.ts'
import { ForeignChainError } from '../../../services/submission/act/blocks.ts'
import type { Context } from '../context.ts'
import { StoreFault } from './guarded-store.ts'
import type { Process } from './process.ts'

/** `ForeignChainError` is thrown at startup while only nodes on another chain respond. The engine retries after a second. */
const EXPECTED = [StoreFault, NodeUnavailableError, ForeignChainError, HistoryPrunedError]

export const isExpectedFault = (error: unknown): boolean =>
  EXPECTED.some(Expected => error instanceof Expected) ||
  (error instanceof ServiceError && error.code === 'SUBMISSION_UNKNOWN')

function wordField(_key: string, value: unknown): unknown {
  if (value instanceof Error) return String(value)
  return typeof value === 'string' && /^[0-9A-F]{64}$/.test(value) ? value.slice(0, 8) : value
}

/** Creates a log that writes to the trace and reports errors that the simulation did not cause as failures. */
export function createWatchedLog({ process, trace, fail }: Context & { process: Process }): Logger {
  function method(level: string) {
    return (fields: object, message: string) => {
      if (!process.isAlive) return
      trace(() => `${process.name}: ${level}: ${message} ${JSON.stringify(fields, wordField)}`)
      // A single lying node must not make the engine doubt the sequence, and the chain's blocks are always right.
      const isBlocked = 'blocker' in fields && fields.blocker === 'sequence-differs'
      if (isBlocked || message === "corrected the store's next sequence")
        fail(`the engine doubts the stored sequence: ${message}`)
      // Blocks decide, so whatever nodes and disks did meanwhile, the store has what the chain executed.
      if (message === 'the store differs from the chain') fail(`${message}: ${JSON.stringify(fields)}`)
      // Debug lines are exempt: they report failures of calls that were in flight when a term ended.
      if (level !== 'debug' && 'err' in fields && !isExpectedFault(fields.err))
        fail(`the engine logged an unexpected error: ${fields.err}`)
    }
  }

  return { debug: method('debug'), info: method('info'), warn: method('warn'), error: method('error') }
}
