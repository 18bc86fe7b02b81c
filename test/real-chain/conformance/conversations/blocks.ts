import { atOneHeight, type Conversation, type Note } from '../conversation.ts'
import { at, type Network } from '../network.ts'

const FAR = '1000000000'

/** Blocks without transactions: by height, by hash and in ranges. */
export const blocks: Conversation = {
  name: 'blocks',
  async play(network, note) {
    for (const method of ['block', 'block_results', 'commit', 'header']) await byHeight(network, note, method)
    await byHash(network, note)
    await ranges(network, note)
  }
}

async function byHeight(network: Network, note: Note, method: string): Promise<void> {
  for (const height of ['1', '2', '0', '-1', FAR]) {
    note(`${method} ${height}`, await network.call(method, { height }))
  }
  await atOneHeight(network, note, async (noteHere, height) => {
    noteHere(`${method}, the newest`, await network.call(method))
    noteHere(`${method}, the newest by height`, await network.call(method, { height: String(height) }))
    noteHere(`${method}, the one before`, await network.call(method, { height: String(height - 1) }))
    noteHere(`${method}, the next`, await network.call(method, { height: String(height + 1) }))
  })
}

async function byHash(network: Network, note: Note): Promise<void> {
  const { body } = await network.call('block', { height: '2' })
  const hex = String(at(body, 'result', 'block_id', 'hash'))
  const hash = Buffer.from(hex, 'hex').toString('base64')
  const unknown = Buffer.alloc(32, 7)
  note('block_by_hash', await network.call('block_by_hash', { hash }))
  note('header_by_hash', await network.call('header_by_hash', { hash: hex }))
  note('header_by_hash in base64', await network.call('header_by_hash', { hash: unknown.toString('base64') }))
  note('block_by_hash in the path', await network.http(`/block_by_hash?hash=0x${hex}`))
  note('header_by_hash in the path', await network.http(`/header_by_hash?hash=0x${hex}`))
  note('an unknown hash', await network.call('block_by_hash', { hash: unknown.toString('base64') }))
  note('a header of an unknown hash', await network.call('header_by_hash', { hash: unknown.toString('hex') }))
  note('a short hash', await network.call('block_by_hash', { hash: 'AAAA' }))
  note('no hash', await network.call('block_by_hash'))
  note('a hash that is no base64', await network.call('block_by_hash', { hash: '***' }))
}

async function ranges(network: Network, note: Note): Promise<void> {
  const blockchain = async (minHeight: string, maxHeight: string) =>
    note(
      `blockchain ${minHeight} to ${maxHeight}`,
      await network.call('blockchain', { minHeight, maxHeight })
    )
  await atOneHeight(network, note, async (noteHere, height) => {
    const newest = { minHeight: String(height - 1), maxHeight: FAR }
    noteHere('blockchain, the newest two', await network.call('blockchain', newest))
    const { body } = await network.call('blockchain')
    const metas = at(body, 'result', 'block_metas')
    noteHere('blockchain has at most 20', Array.isArray(metas) && metas.length === Math.min(20, height))
    noteHere(
      'above the newest',
      await network.call('blockchain', { minHeight: String(height + 1), maxHeight: '0' })
    )
  })
  await blockchain('1', '2')
  await blockchain('2', '1')
  await blockchain('-1', '2')
  await blockchain('1', '-2')
}
