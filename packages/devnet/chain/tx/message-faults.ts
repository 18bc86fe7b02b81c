import { AbciError } from '../errors.ts'
import type { RunMode } from './context.ts'

/** An injected failure of valid messages in blocks. Its log contains the message index, except for code 11 of codespace `sdk`. */
export interface MessageFault {
  /** How many messages fail. */
  count: number
  code: number
  codespace: string
  log: string
}

export type MessageFaults = ReturnType<typeof createMessageFaults>

export function createMessageFaults() {
  let fault: MessageFault | undefined

  return {
    set(next: MessageFault): void {
      fault = { ...next }
    },
    /** Called before a message is executed. @throws AbciError to fail the message */
    check(mode: RunMode): void {
      if (!fault || fault.count === 0 || mode === 'simulate') return
      fault.count -= 1
      throw new AbciError(fault.codespace, fault.code, fault.log)
    }
  }
}
