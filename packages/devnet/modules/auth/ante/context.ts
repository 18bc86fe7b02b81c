import type { App } from '../../../chain/app.ts'
import type { Emit } from '../../../chain/events.ts'
import type { GasMeter } from '../../../chain/state/gas.ts'
import type { State } from '../../../chain/state/state.ts'
import type { RunMode } from '../../../chain/tx/context.ts'
import type { DecodedTx } from '../../../chain/tx/decode.ts'

export interface AnteContext {
  readonly app: App
  readonly tx: DecodedTx
  readonly mode: RunMode
  readonly height: number
  /** Access charges `meter`. */
  readonly state: State
  readonly meter: GasMeter
  readonly emit: Emit
}
