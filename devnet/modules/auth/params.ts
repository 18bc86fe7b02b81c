import type { GenesisNode } from '../../chain/genesis-node.ts'
import type { State, StateView } from '../../chain/state/state.ts'

/** The limits and gas prices of the ante handler. */
export interface AuthParams {
  readonly maxMemoCharacters: number
  readonly txSigLimit: number
  readonly txSizeCostPerByte: number
  readonly sigVerifyCostSecp256k1: number
}

const key = 'auth/params'

/** Writes the parameters of a genesis, or the SDK's defaults. */
export function initParams(state: State, params: GenesisNode): void {
  const uint = (name: string, fallback: bigint) => Number(params.optionalField(name).uint(fallback))
  state.set<AuthParams>(key, {
    maxMemoCharacters: uint('max_memo_characters', 256n),
    txSigLimit: uint('tx_sig_limit', 7n),
    txSizeCostPerByte: uint('tx_size_cost_per_byte', 10n),
    sigVerifyCostSecp256k1: uint('sig_verify_cost_secp256k1', 1000n)
  })
}

export function getParams(state: StateView): AuthParams {
  const params = state.get<AuthParams>(key)
  if (!params) throw new Error('the state has no auth parameters')
  return params
}
