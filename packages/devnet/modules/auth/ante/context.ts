import type { App } from '../../../chain/app.ts'
import type { Emit } from '../../../chain/events.ts'
import type { GasMeter } from '../../../chain/state/gas.ts'
import type { State } from '../../../chain/state/state.ts'
import type { RunMode } from '../../../chain/tx/context.ts'
import type { DecodedTx } from '../../../chain/tx/decode.ts'

/** The context of the ante handler's steps. Access to `state` charges `meter`. */
export interface AnteContext {
  readonly app: App
  readonly tx: DecodedTx
  readonly mode: RunMode
  readonly height: number
  /** The block time in milliseconds since 1970. */
  readonly time: number
  readonly state: State
  readonly meter: GasMeter
  readonly emit: Emit
}

/** Converts milliseconds to nanoseconds, the unit of transaction timeouts. */
export const nanoseconds = (milliseconds: number): bigint => BigInt(milliseconds) * 1_000_000n
