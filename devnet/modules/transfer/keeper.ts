import type { State, StateView } from '../../chain/state/state.ts'
import type { TransactionRecord } from './record.ts'

const COUNT = 'transfer/count'
const RECORDS = 'transfer/record/'
const SETTLED = 'transfer/settled'
const WHITELIST = 'transfer/whitelist/'

function recordKey(id: number): string {
  return RECORDS + id
}

function lastId(state: StateView): number {
  return state.get<number>(COUNT) ?? 0
}

/** Takes the next sequential id, from 1; regular transfers and swaps share the count. */
export function takeId(state: State): number {
  const id = lastId(state) + 1
  state.set(COUNT, id)
  return id
}

export function putRecord(state: State, record: TransactionRecord): void {
  state.set(recordKey(record.id), record)
}

/** Every record up to this id is settled: no later block changes it. 0 at first. */
export function settledUpTo(state: StateView): number {
  return state.get<number>(SETTLED) ?? 0
}

export function setSettledUpTo(state: State, id: number): void {
  state.set(SETTLED, id)
}

/** The records after the last settled one, in the order of their ids. */
export function recordsAfter(state: StateView, id: number): TransactionRecord[] {
  const ids = Array.from({ length: lastId(state) - id }, (_, index) => id + 1 + index)
  return ids.map(next => state.get<TransactionRecord>(recordKey(next))).filter(record => record !== undefined)
}

export function allow(state: State, address: string): void {
  state.set(WHITELIST + address, true)
}

export function disallow(state: State, address: string): void {
  state.delete(WHITELIST + address)
}

export function isWhitelisted(state: State, address: string): boolean {
  return state.get<boolean>(WHITELIST + address) === true
}
