import { Branch } from '../../../packages/devnet/chain/state/branch.ts'
import type { State, StateView } from '../../../packages/devnet/chain/state/state.ts'
import { createStore } from '../../../packages/devnet/chain/state/store.ts'
import fc from '../../helpers/fast-check.ts'
import { test } from '../../helpers/tap.ts'

const keys = ['', 'a', 'b', 'aa', 'ab', 'ba', 'bb', 'abb', 'bab']
const key = fc.constantFrom(...keys)
/** What a block does: keys with their new values; undefined deletes. */
const writes = fc.array(fc.tuple(key, fc.option(fc.nat(9), { nil: undefined })), { maxLength: 8 })

function write(state: State, changes: [string, number | undefined][]): void {
  for (const [name, value] of changes) {
    if (value === undefined) state.delete(name)
    else state.set(name, value)
  }
}

const contents = (state: StateView) => keys.map(name => [name, state.get(name)])

test('every height of the history keeps the state of its block', async t => {
  fc.assert(
    fc.property(fc.array(writes, { maxLength: 8 }), writes, (blocks, uncommitted) => {
      const store = createStore(100)
      const snapshots: unknown[] = []
      for (const [height, changes] of blocks.entries()) {
        write(store, changes)
        store.commit(height)
        snapshots.push(contents(store))
      }
      write(store, uncommitted)
      for (const [height, snapshot] of snapshots.entries()) {
        const past = store.at(height)
        t.ok(past)
        if (past && JSON.stringify(contents(past)) !== JSON.stringify(snapshot)) return false
      }
      return true
    })
  )
})

test('a branch reads its parent and writes to it only on commit', async t => {
  fc.assert(
    fc.property(writes, writes, (before, changes) => {
      const store = createStore(10)
      const expected = createStore(10)
      for (const state of [store, expected]) write(state, before)
      const untouched = JSON.stringify(contents(store))
      const branch = new Branch(store)
      write(branch, changes)
      write(expected, changes)
      if (JSON.stringify(contents(store)) !== untouched) return false
      if (JSON.stringify(contents(branch)) !== JSON.stringify(contents(expected))) return false
      branch.commit(store)
      return JSON.stringify(contents(store)) === JSON.stringify(contents(expected))
    })
  )
  t.pass()
})
