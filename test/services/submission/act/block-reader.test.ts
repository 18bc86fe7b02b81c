import type { PoolBlock } from '../../../../services/chain-client/index.ts'
import { systemClock } from '../../../../services/clock.ts'
import { createBlockReader } from '../../../../services/submission/act/block-reader.ts'
import { blockTransaction, chainBlock } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'

const block = (height: number): PoolBlock => ({ ...chainBlock(height), node: 'node-1' })

function readerOf(node: { newest: number }, make = block, clock = systemClock) {
  const requests: number[] = []
  const chain = {
    async block(height: number) {
      requests.push(height)
      return height <= node.newest ? make(height) : undefined
    }
  }
  return { reader: createBlockReader(chain, clock), requests }
}

/** Reads the blocks from `height` to `last`. @returns their heights */
async function readUpTo(
  reader: ReturnType<typeof createBlockReader>,
  height: number,
  last: number
): Promise<(number | undefined)[]> {
  const heights: (number | undefined)[] = []
  for (let next = height; next <= last; next++) heights.push((await reader.next(next))?.height)
  return heights
}

test('withholds a block until another node confirms it', async t => {
  let isAwaited = true
  const { reader } = readerOf({ newest: 1 }, height => ({ ...block(height), isAwaited }))
  t.equal(await reader.next(1), undefined)
  t.equal(await reader.peek(1), undefined)
  t.equal(reader.newest, 0)
  isAwaited = false
  t.match(await reader.next(1), { height: 1 })
  t.equal(reader.newest, 1)
})

test('prefetches one block if two have more than 32 MiB, and none while blocks take more than two seconds', async t => {
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
    const { reader, requests } = readerOf({ newest: 100 }, late, clock)
    await readUpTo(reader, 1, 12)
    t.equal(Math.max(...requests), last)
  }
})
