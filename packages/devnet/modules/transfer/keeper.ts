import type { State, StateView } from '../../chain/state/state.ts'
import type { TransactionRecord } from './record.ts'

const COUNT = 'transfer/count'
const RECORDS = 'transfer/record/'
const WHITELIST = 'transfer/whitelist/'

/** Returns the next id. Transfers and swaps share the counter. */
export function takeId(state: State): number {
  const id = (state.get<number>(COUNT) ?? 0) + 1
  state.set(COUNT, id)
  return id
}

/** Reads a record as stored in the block of its request, without later progress. */
export function getRecord(state: StateView, id: number): TransactionRecord | undefined {
  return state.get<TransactionRecord>(RECORDS + id)
}

export function putRecord(state: State, record: TransactionRecord): void {
  state.set(RECORDS + record.id, record)
}

export function allow(state: State, address: string): void {
  state.set(WHITELIST + address, true)
}

export function isWhitelisted(state: State, address: string): boolean {
  return state.get<boolean>(WHITELIST + address) === true
}
