import { build, startNetwork } from '../helpers/app.ts'
import { rpc } from '../helpers/rpc.ts'
import { test } from '../helpers/tap.ts'
import { quoteFor, submit, swapBody, transferBody } from '../helpers/transfer-flow.ts'

/** Returns the bytes of a transaction on the chain as a Latin-1 string, in which names and addresses are readable. */
async function signedText(url: string, hash: string): Promise<string> {
  const { result } = await rpc(url, 'tx', { hash: Buffer.from(hash, 'hex').toString('base64') })
  return Buffer.from(String(result?.['tx']), 'base64').toString('latin1')
}

test('SERVICE_BRAND changes every name derived from it (interface 2.2, 2.3)', async t => {
  const devnet = await startNetwork(t, { brand: 'acme2' })
  const explorer = 'https://explorer.acme2.example'
  const server = await build(t, { SERVICE_EXPLORER: explorer }, { devnet })
  t.equal(server.config.SERVICE_BRAND, 'acme2')
  t.match(server.config, { chainPrefix: 'acme2', feeDenom: 'uACME2' })

  const env = (await server.inject('/chains/env')).json()
  t.match(env, { env: 'testnet', acme2Explorer: explorer, transferLimitMaxUSDT: /^\d/ })
  t.notOk('serviceExplorer' in env)
  t.ok((await server.inject('/chains/tss_pubkey')).json().tssPubkey.length > 0)

  const quote = await quoteFor(server)
  t.match(quote, { feeAcme2ProcessingFiat: Number, feeAcme2ProcessingBigInt: /^\d+$/ })
  t.notOk('feeServiceProcessingFiat' in quote)

  const transfer = (await submit(server, await transferBody(server))).json()
  t.match(server.signer.address, /^acme21[0-9a-z]{38}$/)
  const swap = (await submit(server, swapBody(), { path: '/submit/swap' })).json()
  for (const [{ transactionHash }, type] of [
    [transfer, '/acme2blockchain.transaction.MsgRequestTransaction'],
    [swap, '/acme2blockchain.swap.MsgRequestSwapTransaction']
  ]) {
    const signed = await signedText(devnet.urls.rpc, transactionHash)
    for (const text of [type, 'uACME2', server.signer.address]) t.ok(signed.includes(text), text)
  }
  for (const [path, hash] of [
    [`/tx/${transfer.txId}`, transfer.transactionHash],
    [`/swap_tx/${swap.txId}`, swap.transactionHash],
    ['/tx/lp/1', /./]
  ]) {
    const { data } = (await server.inject(`${path}/status`)).json()
    const [record] = Object.values<object[]>(data).flat()
    t.match(record, { acme2hash: hash })
    t.notOk(Object.hasOwn(Object(record), 'servicehash'))
  }
})
