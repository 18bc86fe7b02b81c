import type { State } from '../../chain/state/state.ts'
import type { TransactionRecord } from './record.ts'

const COUNT = 'transfer/count'
const RECORDS = 'transfer/record/'
const MOVING = 'transfer/moving/'
const WHITELIST = 'transfer/whitelist/'

/** Zeros in front keep the keys in the order of the numbers. */
function recordKey(id: number): string {
  return id.toString().padStart(12, '0')
}

/** Takes the next sequential id, from 1; regular transfers and swaps share the count. */
export function takeId(state: State): number {
  const id = (state.get<number>(COUNT) ?? 0) + 1
  state.set(COUNT, id)
  return id
}

export function putRecord(state: State, record: TransactionRecord): void {
  state.set(RECORDS + recordKey(record.id), record)
}

/** Puts the record on the list of those that move with each block. */
export function startMoving(state: State, id: number): void {
  state.set(MOVING + recordKey(id), id)
}

export function stopMoving(state: State, id: number): void {
  state.delete(MOVING + recordKey(id))
}

/** The records that still move, in the order of their ids. */
export function movingRecords(state: State): TransactionRecord[] {
  return state
    .keys(MOVING)
    .map(key => state.get<TransactionRecord>(RECORDS + key.slice(MOVING.length)))
    .filter(record => record !== undefined)
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
