import { createHash } from 'node:crypto'
import { startNetwork } from '../helpers/app.ts'
import { eachStore } from '../helpers/durable-stores.ts'
import { startEngine, transferRequest } from '../helpers/engine-at.ts'
import { operatorTool, parsed } from '../helpers/operator.ts'
import { rpc } from '../helpers/rpc.ts'
import { ROUTE } from '../helpers/transfer.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

await eachStore('find shows a payment by any identifier that a customer has', async (t, place) => {
  const devnet = await startNetwork(t)
  const { engine, submit, address: creator } = await startEngine(t, devnet, { open: place.open })
  const settled = async (accepted: Promise<{ submissionId: string }>) => {
    const submission = await engine.settled((await accepted).submissionId, PATIENCE_MS)
    if (submission.status !== 'committed' || submission.txId === undefined) throw new Error(submission.status)
    return { ...submission, txId: submission.txId }
  }
  const originAddress = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
  const options = JSON.stringify({ feeId: 'card', transactionIdSeed: 'seed' })
  const rail = { creator, originChain: 'FIAT', originAddress: '', options }
  const card = await settled(engine.submit(transferRequest('card', rail)))
  const crypto = transferRequest('paid', { creator, originAddress })
  const paid = await settled(engine.submit(crypto, { requestId: 'req-7' }))
  const { submissionId, txId, transactionHash, height } = paid
  const tool = operatorTool(t, devnet, place.env)

  const hashes = [transactionHash, `0x${transactionHash.toLowerCase()}`]
  const ids = [submissionId, String(txId), 'paid', `msg_${submissionId}_committed`]
  for (const identifier of [...ids, ...hashes, originAddress, originAddress.toLowerCase()]) {
    const found = await tool('find', identifier, '--json')
    t.equal(found.code, 0, identifier)
    const row = { submissionId, kind: 'transfer', request: { originAddress }, txstatus: String }
    t.match(parsed(found.out), [row])
    t.match(JSON.parse((await tool('show', identifier, '--json')).out), { submissionId })
  }
  t.match(parsed((await tool('find', 'seed', '--json')).out), [{ submissionId: card.submissionId }])
  const row = `\\n\\S+ +${submissionId} +ETH USDT > POL USDC +[\\d.]+ +committed +${txId} +\\w+\\n$`
  t.match((await tool('find', 'paid')).out, new RegExp(row))
  for (const command of ['find', 'show'])
    t.match(await tool(command, 'nothing'), { code: 1, out: '', err: /^nothing is unknown: no subm/ })
  const ofWallet = `0x${'a'.repeat(64)}`
  t.match(await tool('find', ofWallet), { code: 1, err: /find the address that paid\n$/ })
  t.match(await tool('find', ' paid '), { code: 0 }, 'pasted with spaces')
  const both = parsed((await tool('find', ROUTE.targetAddress, '--json')).out)
  t.match(both, [{ submissionId }, { submissionId: card.submissionId }], 'newest first')
  const limited = await tool('find', ROUTE.targetAddress, '--limit', '1')
  t.match(limited.out, /\nOnly the newest 1: see --limit\.\n$/)
  const ambiguous = `${ROUTE.targetAddress} is ambiguous, use a submissionId: ${submissionId}, ${card.submissionId}\n`
  t.match(await tool('show', ROUTE.targetAddress), { code: 1, out: '', err: ambiguous })

  const { timeline, proof } = JSON.parse((await tool('show', 'paid', '--proof', '--json')).out)
  t.match(timeline, [
    { what: 'accepted', requestId: 'req-7', at: paid.createdAt },
    { what: 'signed', hash: transactionHash, slot: Number },
    { what: 'committed', height, hash: transactionHash, txId },
    { what: 'record', tx_id: txId }
  ])
  const { index, transaction } = proof
  t.match(proof, { height, chainId: 'service-devnet-1', transactionHash, messageIndex: 0 })
  const { result } = await rpc(devnet.urls.rpc, 'block', { height: String(height) })
  t.equal(Object(result).block.data.txs[index], transaction, 'a node has the same')
  t.equal(createHash('sha256').update(transaction, 'base64').digest('hex').toUpperCase(), transactionHash)

  devnet.control.failMessages({ count: 1, code: 5, codespace: 'sdk', log: 'not now' })
  const again = await settled(submit('again'))
  const history = JSON.parse((await tool('show', 'again', '--json')).out).timeline
  const { transactionHash: failed } = history.find(({ what }: { what: string }) => what === 'queued')
  t.not(failed, again.transactionHash)
  t.match(parsed((await tool('find', failed, '--json')).out), [{ submissionId: again.submissionId }])

  devnet.control.pause()
  const open = await submit('open')
  t.match(await tool('show', open.submissionId, '--proof'), { code: 1, err: /^no block contains/ })
})
