import type { PoolBlock } from '../../../../services/chain-client/index.ts'
import { type Clock, systemClock } from '../../../../services/clock.ts'
import { createBlockReader } from '../../../../services/submission/act/block-reader.ts'
import { test } from '../../../helpers/tap.ts'
import { blockTransaction, chainBlock } from '../../chain-block.ts'

const block = (height: number): PoolBlock => ({ ...chainBlock(height), node: 'node-1' })

function readerOf(make: (height: number) => PoolBlock, clock: Clock) {
  const requests: number[] = []
  const chain = {
    async block(height: number) {
      requests.push(height)
      return make(height)
    }
  }
  return { reader: createBlockReader(chain, clock), requests }
}

test('withholds a block until another node confirms it', async t => {
  let isAwaited = true
  const { reader } = readerOf(height => ({ ...block(height), isAwaited }), systemClock)
  t.strictSame([await reader.next(1), await reader.peek(1), reader.newest], [undefined, undefined, 0])
  isAwaited = false
  t.match(await reader.next(1), { height: 1 })
})

test('prefetches one block if two exceed 32 MiB, and none while nodes are slow', async t => {
  const big = { bytes: new Uint8Array(8_000_000), log: 'x'.repeat(2_000_000) }
  const transactions = [blockTransaction(big), blockTransaction(big)]
  const witnessed = (height: number): PoolBlock => {
    const half = { ...block(height), transactions: transactions.slice(1) }
    return { ...half, second: half }
  }
  for (const [make, slowMs, last] of [
    [(height: number): PoolBlock => ({ ...block(height), transactions }), 0, 13],
    [witnessed, 0, 13],
    [block, 2001, 12]
  ] as const) {
    let elapsed = 0
    const clock = { ...systemClock, elapsed: () => elapsed }
    const late = (height: number) => {
      elapsed += slowMs
      return make(height)
    }
    const { reader, requests } = readerOf(late, clock)
    for (let height = 1; height <= 12; height++) await reader.next(height)
    t.equal(Math.max(...requests), last)
  }
})
