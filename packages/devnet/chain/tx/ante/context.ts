import type { Emit } from '../../events.ts'
import type { GasMeter } from '../../state/gas.ts'
import type { State } from '../../state/state.ts'
import type { App } from '../app.ts'
import type { RunMode } from '../context.ts'
import type { DecodedTx } from '../decode.ts'

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
