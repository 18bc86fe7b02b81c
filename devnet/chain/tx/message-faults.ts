import { AbciError } from '../errors.ts'
import { serialize } from '../state/state.ts'
import type { RunMode } from './context.ts'
import type { DecodedMessage } from './decode.ts'

/** A failure of messages that are in order. Code 11 of codespace `sdk` ends the transaction without an index. */
export interface MessageFault {
  code: number
  codespace: string
  log: string
  /** Only messages whose JSON has this text in it; every message when left out. */
  containing?: string
  /** Whether simulations meet it too, so that it can be known before. */
  simulated: boolean
}

export interface MessageFaults {
  /** From now on the next so many messages in blocks fail like this. */
  set(fault: MessageFault, times: number): void
  /** Called before a message is executed. @throws AbciError in place of its execution */
  check(message: DecodedMessage, mode: RunMode): void
}

export function createMessageFaults(): MessageFaults {
  let present: MessageFault | undefined
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
    set(fault, times) {
      present = fault
      left = times
    },
    check(message, mode) {
      if (!present || left === 0 || !concerns(present, message, mode)) return
      if (mode !== 'simulate') left -= 1
      throw new AbciError(present.codespace, present.code, present.log)
    }
  }
}
