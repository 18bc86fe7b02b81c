import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { encodeFunctionData } from 'viem'
import { tokenAbi } from '../../../packages/devnet/evm/abi.ts'
import type { EvmChain, EvmChains } from '../../../packages/devnet/evm/index.ts'
import { STRICT, startNetwork, testEnv } from '../../helpers/app.ts'
import { installClient } from '../../helpers/installed-client.ts'
import { serve } from '../../helpers/local-server.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { root } from '../../helpers/repository.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { startBrowser } from './browser.ts'
import { approvedAmounts, injectWallet } from './evm-wallet.ts'

const page = join(root, 'docs/examples/transfer-page/index.html')

test('the example page approves and pays once, despite lost responses and reloads', async t => {
  const network = await startNetwork(t, { evm: ['ETH', 'POL'] })
  const { evm } = network
  const eth = evm?.chain('ETH')
  if (evm === undefined || eth === undefined) throw new Error('no EVM chains')
  const folder = await installClient(t)
  const client = readFileSync(join(folder, 'node_modules/transaction-back-end-client/dist/index.js'))

  let losesAnswers = true
  const shop = await serve(t, async ({ method, url, body, headers }, response) => {
    if (!url.startsWith('/payments/')) {
      const isClient = url === '/client.js'
      response.writeHead(200, { 'content-type': isClient ? 'text/javascript' : 'text/html' })
      return void response.end(isClient ? client : readFileSync(page))
    }
    const { 'content-type': type, origin } = headers
    const answer = await patientFetch(service.url + url.slice('/payments'.length), {
      method,
      headers: { ...(type && { 'content-type': type }), ...(origin && { origin }) },
      ...(method === 'POST' && { body })
    })
    if (method === 'POST' && losesAnswers) return void response.destroy()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    if (answer.body === null) return void response.end()
    Readable.fromWeb(answer.body).pipe(response)
  })

  const settings = { NODE_ENV: 'production', DOMAIN: shop.url, ...STRICT }
  const service = await startServer(t, testEnv(t, network, settings))
  await service.saw(/"msg":"engine ready"/)
  const tab = await (await startBrowser(t))(t)
  await tab.page.goto(shop.url)
  await tab.page.getByRole('button').click()
  await tab.page.getByText('There is no wallet in this browser').waitFor()
  await injectWallet(tab.page, evm)
  await approveEarlier(evm, eth)
  await tab.page.reload()
  await tab.page.getByRole('button').click()
  await tab.page.getByRole('status').getByText('waiting', { exact: true }).waitFor()
  losesAnswers = false
  await tab.page.reload()
  await tab.page.getByText('Transfer 1: Completed').waitFor()
  const lost = tab.errors.filter(error => error.includes('/payments/submit/transfer'))
  t.ok(lost.length > 0, 'some responses were lost')
  t.same(tab.errors, lost, 'the page reports no other errors')
  const submitted = shop.seen.filter(({ url }) => url === '/payments/submit/transfer')
  const origins = new Set(submitted.map(({ headers }) => headers.origin))
  t.same([...origins], [shop.url], 'every submission has the page’s origin')
  const [first, ...amounts] = await approvedAmounts(eth, 'USDT', evm.pool)
  t.equal(first, EARLIER)
  t.match(amounts.map(String), ['0', /^25\d{6}$/], 'the earlier one is reset, the quote’s approved once')
  t.equal([...readChain(network, network.addresses.development).executions.values()].join(), '1')
})

/** A smaller allowance, which USDT refuses to change to another one. */
const EARLIER = 1n

async function approveEarlier({ user, pool }: EvmChains, { client, tokens }: EvmChain): Promise<void> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [pool, EARLIER] })
  await client.impersonateAccount({ address: user.address })
  const call = { account: user.address, to: tokens['USDT']?.address, data, chain: null }
  await client.waitForTransactionReceipt({ hash: await client.sendTransaction(call) })
}
