import { test } from 'tap'
import type { ChainBlock } from '../../../../services/chain-client/index.ts'
import { createBlockReader } from '../../../../services/submission/following/block-reader.ts'

const block = (height: number): ChainBlock => ({
  chainId: 'chain-1',
  height,
  hash: `B${height}`,
  previousHash: `B${height - 1}`,
  transactions: []
})

/** A reader of a node that has blocks up to a height which the test changes. */
function readerOf(node: { newest: number }) {
  const requests: number[] = []
  const reader = createBlockReader({
    async block(height) {
      requests.push(height)
      return height <= node.newest ? block(height) : undefined
    }
  })
  return { reader, requests }
}

test('the further behind the reader is, the more blocks it requests ahead, at most four', async t => {
  const { reader, requests } = readerOf({ newest: 100 })
  const ahead: number[] = []
  for (let height = 1; height <= 8; height++) {
    t.equal((await reader.next(height))?.height, height)
    ahead.push(Math.max(...requests) - height)
  }
  t.strictSame(ahead, [0, 0, 1, 2, 3, 4, 4, 4])
  t.equal(new Set(requests).size, requests.length, 'each is requested once')
  t.equal(reader.newest, 12)
})

test('at the newest block nothing is requested ahead', async t => {
  const node = { newest: 1 }
  const { reader, requests } = readerOf(node)
  await reader.next(1)
  t.equal(await reader.next(2), undefined)
  t.equal(await reader.next(2), undefined)
  node.newest = 2
  t.equal((await reader.next(2))?.height, 2)
  t.strictSame(requests, [1, 2, 2, 2])
})

test('a block that did not exist when it was requested ahead is requested again', async t => {
  const node = { newest: 3 }
  const { reader } = readerOf(node)
  for (const height of [1, 2, 3]) await reader.next(height)
  node.newest = 5
  t.equal((await reader.next(4))?.height, 4)
  t.equal((await reader.next(5))?.height, 5)
})

test('a block that is read again is requested again: the node may have been wrong', async t => {
  const { reader, requests } = readerOf({ newest: 10 })
  for (const height of [1, 2, 3, 4]) await reader.next(height)
  const before = requests.length
  await reader.next(4)
  t.ok(requests.slice(before).includes(4))
})

test('the newest height does not go back', async t => {
  const { reader } = readerOf({ newest: 10 })
  await reader.next(9)
  await reader.next(3)
  t.equal(reader.newest, 9)
})

test('an error ahead of its turn is not reported before it', async t => {
  let fails = true
  const reader = createBlockReader({
    async block(height) {
      if (height === 4 && fails) throw new Error('no answer')
      return block(height)
    }
  })
  for (const height of [1, 2, 3]) t.equal((await reader.next(height))?.height, height)
  await t.rejects(reader.next(4), { message: 'no answer' })
  fails = false
  t.equal((await reader.next(4))?.height, 4)
})
