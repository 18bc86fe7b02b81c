import { AbciError } from '../errors.ts'
import { serialize } from '../state/state.ts'
import type { RunMode } from './context.ts'
import type { DecodedMessage } from './decode.ts'

/** An injected failure of valid messages. Code 11 of codespace `sdk` fails the transaction without a message index. */
export interface MessageFault {
  code: number
  codespace: string
  log: string
  /** Fails only messages whose JSON contains this string. Omit to fail every message. */
  containing?: string
  /** Whether simulations fail too, so that clients can detect the failure in advance. */
  simulated: boolean
}

export type MessageFaults = ReturnType<typeof createMessageFaults>

export function createMessageFaults() {
  let current: MessageFault | undefined
  let left = 0

  function concerns(
    { containing, simulated }: MessageFault,
    { message }: DecodedMessage,
    mode: RunMode
  ): boolean {
    if (mode === 'simulate' && !simulated) return false
    return containing === undefined || serialize(message).includes(containing)
  }

  return {
    /** Fails the next `times` messages in blocks with `fault`. */
    set(fault: MessageFault, times: number): void {
      current = fault
      left = times
    },
    /** Called before a message is executed. @throws AbciError to fail the message */
    check(message: DecodedMessage, mode: RunMode): void {
      if (!current || left === 0 || !concerns(current, message, mode)) return
      if (mode !== 'simulate') left -= 1
      throw new AbciError(current.codespace, current.code, current.log)
    }
  }
}
