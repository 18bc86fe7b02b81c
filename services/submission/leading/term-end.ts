import type { Logger } from '../../logger.ts'
import { aroundWrites, type EngineStore, type Term } from '../store/engine-writes.ts'
import { StoreUncertainError, TermEndedError } from '../store/errors.ts'

/** The end of a term, which its own writes may be the first to notice. */
export interface TermEnd {
  readonly isOver: boolean
  /** Resolves when the term is over and resigned. */
  readonly over: Promise<void>
  /** The term's store. A write that fails because the term is over, or whose outcome is unknown, ends the term. */
  readonly store: EngineStore
  /** From the end on, everything is written at level `debug`: a call that was in flight may fail, which is no trouble. */
  readonly log: Logger
  /** Ends the term. @param reason for the log; left out when this process stops */
  end(reason?: string): Promise<void>
}

/** @param onEnd runs at the end, before the term is resigned */
export function createTermEnd(term: Term, log: Logger, onEnd: () => void): TermEnd {
  const { epoch, ended } = term
  let isOver = false
  let markOver = () => {}
  const over = new Promise<void>(resolve => {
    markOver = resolve
  })

  async function end(reason?: string): Promise<void> {
    if (isOver) return over
    isOver = true
    if (reason !== undefined) log.info({ epoch, reason }, 'this process no longer drives the wallet')
    onEnd()
    try {
      await term.resign()
    } catch (err) {
      log.debug({ err, epoch }, 'the term could not be resigned')
    }
    markOver()
  }

  function write(level: 'info' | 'warn' | 'error'): Logger['info'] {
    return (fields, message) => (isOver ? log.debug(fields, message) : log[level](fields, message))
  }

  ended.addEventListener('abort', () => void end('another process may drive it'))
  return {
    get isOver() {
      return isOver
    },
    over,
    store: aroundWrites(term.store, async work => {
      try {
        return await work()
      } catch (error) {
        if (error instanceof TermEndedError || error instanceof StoreUncertainError) void end(error.message)
        throw error
      }
    }),
    log: {
      debug: (fields, message) => log.debug(fields, message),
      info: write('info'),
      warn: write('warn'),
      error: write('error')
    },
    end
  }
}
