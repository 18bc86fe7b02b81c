import type { Metadata } from 'cosmjs-types/cosmos/bank/v1beta1/bank'
import type { State, StateView } from '../../chain/state/state.ts'
import type { Coin } from './coins.ts'

const supplyPrefix = 'bank/supply/'
const metadataPrefix = 'bank/metadata/'

export function setSupply(state: State, { denom, amount }: Coin): void {
  state.set(supplyPrefix + denom, amount)
}

/** How much of a denomination exists. */
export function getSupply(state: StateView, denom: string): bigint {
  return state.get<bigint>(supplyPrefix + denom) ?? 0n
}

/** The denominations that exist, sorted. */
export function getDenoms(state: StateView): string[] {
  return state.keys(supplyPrefix).map(key => key.slice(supplyPrefix.length))
}

export function setMetadata(state: State, metadata: Metadata): void {
  state.set(metadataPrefix + metadata.base, metadata)
}

export function getMetadata(state: StateView, denom: string): Metadata | undefined {
  return state.get<Metadata>(metadataPrefix + denom)
}

/** All metadata, sorted by base denomination. */
export function getAllMetadata(state: StateView): Metadata[] {
  return state
    .keys(metadataPrefix)
    .map(key => state.get<Metadata>(key))
    .filter(metadata => metadata !== undefined)
}
