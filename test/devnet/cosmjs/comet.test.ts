import { toHex } from '@cosmjs/encoding'
import { coins } from '@cosmjs/proto-signing'
import {
  connectComet,
  HttpBatchClient,
  HttpClient,
  type RpcClient,
  Tendermint37Client
} from '@cosmjs/tendermint-rpc'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { CHAIN_ID, DENOM, startNode, webSocketClient } from '../../helpers/devnet/node.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

const FEE = { amount: coins(5_000, DENOM), gas: '200000' }

/** How CosmJS can reach a node. Each of them runs all the tests below. */
const RPC_CLIENTS: Record<string, (node: { url: string; wsUrl: string }) => RpcClient> = {
  HttpClient: ({ url }) => new HttpClient(url),
  HttpBatchClient: ({ url }) => new HttpBatchClient(url),
  WebsocketClient: ({ wsUrl }) => webSocketClient(wsUrl)
}

/** A chain that stops after block 7. Block 4 has two transactions, block 6 one. */
async function startWithHistory(t: Test, createClient: (typeof RPC_CLIENTS)[string]) {
  const node = await startNode(t, { blockTimeMs: 3_600_000 })
  const { chain, address, otherAddress } = node
  const signing = await node.connect()
  const value = { fromAddress: address, toAddress: otherAddress, amount: coins(1, DENOM) }
  const sign = async (sequence: number): Promise<Uint8Array> => {
    const signerData = { accountNumber: 0n, sequence, chainId: CHAIN_ID }
    const message = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }
    return TxRaw.encode(await signing.sign(address, [message], FEE, '', signerData)).finish()
  }
  const txs = await Promise.all([0, 1, 2].map(sign))
  const produceUntil = (height: number): void => {
    while (chain.height < height) chain.produceBlock()
  }
  produceUntil(3)
  for (const tx of txs.slice(0, 2)) chain.submitTx(tx)
  produceUntil(5)
  for (const tx of txs.slice(2)) chain.submitTx(tx)
  produceUntil(7)

  const client = Tendermint37Client.create(createClient(node))
  t.teardown(() => client.disconnect())
  return { node, client, txs, sign }
}

for (const [name, createClient] of Object.entries(RPC_CLIENTS)) {
  test(`${name}: the node and its network`, async t => {
    const { node, client } = await startWithHistory(t, createClient)
    const status = await client.status()
    t.match(status, {
      nodeInfo: { network: CHAIN_ID, version: '0.37.1', protocolVersion: { p2p: 8, block: 11, app: 0 } },
      syncInfo: { latestBlockHeight: 7, earliestBlockHeight: 1, catchingUp: false, latestBlockTime: Date },
      validatorInfo: { pubkey: { algorithm: 'ed25519' }, votingPower: 1n }
    })
    t.equal(status.nodeInfo.other.get('tx_index'), 'on')
    t.equal(await client.health(), null)

    const info = await client.abciInfo()
    t.equal(info.lastBlockHeight, 7)
    t.equal(toHex(info.lastBlockAppHash ?? new Uint8Array()).toUpperCase(), node.chain.appHash)

    const genesis = await client.genesis()
    t.match(genesis, {
      chainId: CHAIN_ID,
      genesisTime: Date,
      consensusParams: { block: { maxGas: 40_000_000 } }
    })
    t.match(genesis.appState, { bank: { supply: [{ denom: DENOM }] } })

    const validators = await client.validatorsAll()
    t.match(validators, {
      blockHeight: 8,
      count: 1,
      total: 1,
      validators: [{ proposerPriority: 0, votingPower: 1n }]
    })
    t.strictSame(validators.validators[0]?.address, status.validatorInfo.address)
  })

  test(`${name}: blocks, their results and their commits`, async t => {
    const { client, txs } = await startWithHistory(t, createClient)
    const { blockId, block } = await client.block(4)
    t.match(block.header, { chainId: CHAIN_ID, height: 4, time: Date })
    t.strictSame(block.txs, txs.slice(0, 2))
    t.equal(block.lastCommit?.height, 3)
    t.strictSame(block.lastCommit?.blockId.hash, (await client.block(3)).blockId.hash)
    t.strictSame((await client.block(5)).block.header.lastBlockId, blockId)
    t.equal((await client.block()).block.header.height, 7)
    const first = (await client.block(1)).block
    t.strictSame([first.lastCommit, first.header.lastBlockId, first.txs], [null, null, []])

    const results = await client.blockResults(4)
    t.match(results, {
      height: 4,
      results: [{ code: 0, gasWanted: 200_000n }, { code: 0 }],
      validatorUpdates: []
    })
    t.ok(results.results.every(({ events }) => events.some(({ type }) => type === 'transfer')))
    t.strictSame((await client.blockResults(5)).results, [])

    const commit = await client.commit(4)
    t.match(commit, { canonical: true, header: { height: 4 }, commit: { height: 4, round: 0, blockId } })
    const [signature] = commit.commit.signatures
    t.match(signature, { blockIdFlag: 2, timestamp: Date })
    t.strictSame([signature?.validatorAddress?.length, signature?.signature?.length], [20, 64])
    t.equal((await client.commit()).canonical, false)

    const heights = ({ blockMetas }: { blockMetas: readonly { header: { height: number } }[] }) =>
      blockMetas.map(({ header }) => header.height)
    t.strictSame(heights(await client.blockchain()), [7, 6, 5, 4, 3, 2, 1])
    t.strictSame(heights(await client.blockchain(4, 5)), [5, 4])
    const ahead = await client.blockchain(6, 100)
    t.match(ahead, { lastHeight: 7, blockMetas: [{ numTxs: 0 }, { numTxs: 1, blockId: {} }] })
  })

  test(`${name}: searches, page by page`, async t => {
    const { client, txs, node } = await startWithHistory(t, createClient)
    const query = `transfer.sender='${node.address}' AND tx.height>=1`
    const all = await client.txSearchAll({ query, per_page: 2 })
    t.equal(all.totalCount, 3)
    t.strictSame(
      all.txs.map(({ height, index, tx }) => ({ height, index, tx })),
      [4, 4, 6].map((height, i) => ({ height, index: height === 6 ? 0 : i, tx: txs[i] }))
    )
    const newestFirst = await client.txSearch({ query, order_by: 'desc', page: 1, per_page: 1 })
    t.strictSame([newestFirst.totalCount, newestFirst.txs.map(({ height }) => height)], [3, [6]])
    await t.rejects(client.txSearch({ query, page: 3, per_page: 2 }), {
      message: /-32603.*page should be within \[1, 2\] range, given 3/
    })

    const hash = all.txs[1]?.hash ?? new Uint8Array()
    t.strictSame(await client.tx({ hash }), all.txs[1])
    t.strictSame((await client.txSearch({ query: `tx.hash='${toHex(hash)}'` })).txs, [all.txs[1]])
    await t.rejects(client.tx({ hash: new Uint8Array(32) }), { message: /-32603.*tx \(0{64}\) not found/ })

    const blocks = await client.blockSearchAll({
      query: 'block.height >= 2 AND block.height <= 4',
      per_page: 2
    })
    t.equal(blocks.totalCount, 3)
    t.strictSame(
      blocks.blocks.map(({ block }) => block.header.height),
      [2, 3, 4]
    )
  })

  test(`${name}: heights that do not exist`, async t => {
    const { client } = await startWithHistory(t, createClient)
    await t.rejects(client.block(0), { message: /-32603.*height must be greater than 0, but got 0/ })
    const ahead = {
      message: /-32603.*height 8 must be less than or equal to the current blockchain height 7/
    }
    await t.rejects(client.block(8), ahead)
    await t.rejects(client.blockResults(8), ahead)
    await t.rejects(client.commit(8), ahead)
    await t.rejects(client.validators({ height: 9 }), {
      message: /height 9 must be less than or equal to .* 8/
    })
    await t.rejects(client.blockchain(8), { message: /min height 8 can't be greater than max height 7/ })
  })

  test(`${name}: submitting a transaction`, async t => {
    const { client, node, sign } = await startWithHistory(t, createClient)
    t.strictSame(await client.numUnconfirmedTxs(), { total: 0, totalBytes: 0 })
    const nextTx = await sign(3)
    const committed = client.broadcastTxCommit({ tx: nextTx })
    await until(() => node.chain.mempool.size > 0, 'the node has the transaction')
    node.chain.produceBlock()
    t.match(await committed, { height: 8, checkTx: { code: 0 }, deliverTx: { code: 0 } })
    await t.rejects(client.broadcastTxAsync({ tx: nextTx }), {
      message: /-32603.*tx already exists in cache/
    })

    const following = await sign(4)
    t.match(await client.broadcastTxAsync({ tx: following }), { code: 0, hash: Uint8Array })
    t.strictSame(await client.numUnconfirmedTxs(), { total: 1, totalBytes: following.length })
    t.match(await client.broadcastTxCommit({ tx: await sign(9) }), { height: 0, checkTx: { code: 32 } })
  })
}

test('connectComet recognizes version 0.37', async t => {
  const node = await startNode(t)
  t.type(await connectComet(node.url), Tendermint37Client)
})
