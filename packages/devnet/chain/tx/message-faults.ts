import { AbciError } from '../errors.ts'
import { serialize } from '../state/state.ts'
import type { RunMode } from './context.ts'
import type { DecodedMessage } from './decode.ts'

/** An injected failure of valid messages. Its log contains the message index, except for code 11 of codespace `sdk`. */
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
  let fault: MessageFault | undefined
  let left = 0

  return {
    /** Fails the next `times` messages in blocks with `next`. */
    set(next: MessageFault, times: number): void {
      fault = next
      left = times
    },
    /** Called before a message is executed. @throws AbciError to fail the message */
    check({ message }: DecodedMessage, mode: RunMode): void {
      if (!fault || left === 0 || (mode === 'simulate' && !fault.simulated)) return
      const { containing, codespace, code, log } = fault
      if (containing !== undefined && !serialize(message).includes(containing)) return
      if (mode !== 'simulate') left -= 1
      throw new AbciError(codespace, code, log)
    }
  }
}
