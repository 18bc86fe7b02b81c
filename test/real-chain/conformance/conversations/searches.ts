import { account, base64, hashOf, RECIPIENT, send, sign } from '../accounts.ts'
import type { Conversation } from '../conversation.ts'
import { included } from '../included.ts'

/** The index of transactions and blocks. */
export const searches: Conversation = {
  name: 'searches',
  async play(network, note) {
    const from = account('searches')
    const txs = []
    const heights: number[] = []
    for (const sequence of [0, 1, 2]) {
      await network.nextBlock()
      const tx = await sign(from, [send(from.address, RECIPIENT, sequence + 1)], { sequence })
      await network.call('broadcast_tx_sync', { tx: base64(tx) })
      heights.push(Number((await included(network, tx)).height))
      txs.push(tx)
    }
    const [first = 0, , last = 0] = heights
    const hash = hashOf(txs[0] ?? new Uint8Array())
    const mine = `coin_spent.spender='${from.address}'`

    const search = async (step: string, query: string, params: object = {}) =>
      note(step, await network.call('tx_search', { query, ...params }))
    await search('by hash', `tx.hash='${hash}'`)
    await search('by hash in lower case', `tx.hash='${hash.toLowerCase()}'`)
    await search('by hash with a proof', `tx.hash='${hash}'`, { prove: true })
    await search('by an unknown hash', `tx.hash='${'AB'.repeat(32)}'`)
    await search('by a hash that is none', "tx.hash='xyz'")
    await search('by hash and something else', `tx.hash='${hash}' AND tx.height=1`)
    await search('by event', mine)
    await search('by event, descending', mine, { order_by: 'desc' })
    await search('by event, ascending', mine, { order_by: 'asc' })
    await search('by event, in no order', mine, { order_by: 'up' })
    await search('by event and height', `${mine} AND tx.height=${first}`)
    await search('by event and range', `${mine} AND tx.height>${first} AND tx.height<=${last}`)
    await search('by two attributes of one event', `${mine} AND coin_spent.amount='2uSERVICE'`)
    await search('by two events', `${mine} AND coin_received.receiver='${RECIPIENT}'`)
    await search('by an amount', `${mine} AND coin_spent.amount=2`)
    await search('bad query: an order of texts', `${mine} AND coin_spent.amount>'2'`)
    await search('by sequence', `tx.acc_seq='${from.address}/1'`)
    await search('by a part', `tx.acc_seq CONTAINS '${from.address}/2'`)
    await search('by a number in text', `coin_spent.spender=${1} AND tx.height=${first}`)
    await search('by what exists', `tx.acc_seq EXISTS AND tx.height=${last}`)
    await search('by height', `tx.height=${first}`)
    await search('by height as text', `tx.height='${first}'`)
    await search('by an empty range', `tx.height>${last} AND tx.height<${first}`)
    await search('by height 0', 'tx.height=0')
    await search('by nothing that exists', "nothing.at='all'")
    await search('page 1 of 2', mine, { page: '1', per_page: '2' })
    await search('page 2 of 2', mine, { page: '2', per_page: '2' })
    await search('page 3 of 2', mine, { page: '3', per_page: '2' })
    await search('page 0', mine, { page: '0', per_page: '2' })
    await search('page -1', mine, { page: '-1' })
    await search('per page 0', mine, { per_page: '0' })
    await search('per page -1', mine, { per_page: '-1' })
    await search('per page 1000', mine, { per_page: '1000' })
    await search('an empty result', "nothing.at='all'", { page: '1' })
    await search('page 2 of an empty result', "nothing.at='all'", { page: '2' })
    for (const query of BAD_QUERIES) await search(`bad query: ${query.slice(0, 30)}`, query)
    note('bad query: none', await network.call('tx_search'))
    note(
      'in the path',
      await network.http(`/tx_search?query="tx.hash='${hash}'"&prove=false&page=1&per_page=10`)
    )
    note('in the path, unquoted', await network.http(`/tx_search?query=tx.hash='${hash}'`))
    note(
      'in the path with quoted numbers',
      await network.http(`/tx_search?query="tx.hash='${hash}'"&page="1"`)
    )

    const blockSearch = async (step: string, query: string, params: object = {}) =>
      note(step, await network.call('block_search', { query, ...params }))
    await blockSearch('blocks by height', 'block.height=2')
    await blockSearch('blocks by range', 'block.height>=1 AND block.height<3')
    await blockSearch('blocks by range, ascending', 'block.height>=1 AND block.height<3', { order_by: 'asc' })
    await blockSearch('blocks by range, a page', 'block.height>=1 AND block.height<3', {
      page: '2',
      per_page: '1'
    })
    await blockSearch('blocks by range, a page too far', 'block.height<3', { page: '3', per_page: '1' })
    await blockSearch('blocks in no order', 'block.height<3', { order_by: 'up' })
    await blockSearch('blocks by nothing that exists', "nothing.at='all'")
    await blockSearch('blocks by height 0', 'block.height=0')
    await blockSearch('blocks by a bad query', 'block.height')
    note('blocks by a bad query: none', await network.call('block_search'))

    const tx = (step: string, params: object) => network.call('tx', params).then(answer => note(step, answer))
    await tx('tx, unknown', { hash: base64(new Uint8Array(32).fill(9)) })
    await tx('tx, short', { hash: 'AAAA' })
    await tx('tx, empty', { hash: '' })
    await tx('tx, hex', { hash })
    await tx('tx, no base64', { hash: '***' })
    await tx('tx, without padding', { hash: base64(new Uint8Array(32).fill(9)).replace('=', '') })
    await tx('tx, a number', { hash: 5 })
    await tx('tx, null', { hash: null })
    await tx('tx, no hash', {})
    await tx('tx, a bad flag', { hash: 'AAAA', prove: 'yes' })
    note('tx in the path, unknown', await network.http(`/tx?hash=0x${'09'.repeat(32)}`))
    note('tx in the path, odd', await network.http('/tx?hash=0x123'))
    note('tx in the path, no hex', await network.http('/tx?hash=0xzz'))
    note('tx in the path, unquoted', await network.http('/tx?hash=abc'))
    note('tx in the path, quoted', await network.http('/tx?hash="abc"'))
    note('tx in the path, none', await network.http('/tx'))
    note('tx in the path, a bad flag', await network.http(`/tx?hash=0x${'09'.repeat(32)}&prove=yes`))
  }
}

const BAD_QUERIES = [
  '',
  ' ',
  'nonsense',
  'tx.height',
  'tx.height=',
  "tx.height='",
  'tx.height==1',
  "tx.hash='a' OR tx.hash='b'",
  "tx.hash='a' AND",
  "AND tx.hash='a'",
  'transfer.amount CONTAINS 5',
  'tx.height>abc',
  `tx.hash='${'a'.repeat(600)}'`
]
