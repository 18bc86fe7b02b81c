import { readFileSync, writeFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { specialTargets } from '../../packages/devnet/modules/transfer/special-addresses.ts'
import { OTHER_WALLET } from '../../packages/devnet/wallets.ts'
import { AddressQuery, OutspendQuery } from '../../schemas/bitcoin.ts'
import { brandNames } from '../../schemas/brand.ts'
import { webhookDocument } from '../../schemas/document.ts'
import { feeId, submissionId, uuid } from '../../schemas/leaves.ts'
import { receiver as payee } from '../../schemas/submit-examples.ts'
import { isObject } from '../../services/json.ts'
import { build, startNetwork } from '../helpers/app.ts'
import { caller } from '../helpers/callers.ts'
import { advanceClock } from '../helpers/clock.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { type ReceivedEvent, receiveWebhooks } from '../helpers/webhook-receiver.ts'
import { documentOf, operationsOf } from '../openapi/document.ts'
import { exampleOf, exampleRequest } from '../openapi/example.ts'
import { mergeExamples, type Seen } from '../openapi/merge-examples.ts'

/** Keeps the first entry of each list and the first three lines of each string: there are many chains and metrics. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.split('\n', 3).join('\n')
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]))
}

/** Replaces each value in JSON with its type, because the values differ on every run. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (!isObject(value)) return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
}

test('the examples in the OpenAPI document match the service’s responses', async t => {
  const devnet = await startNetwork(t)
  const { variables, headers } = caller(t)
  const receiver = await receiveWebhooks(t)
  const seen: Seen = {}
  const send = senderTo(seen, headers)

  const ofWidgets = { SERVICE_EXPLORER: 'https://explorer.example', PAYMENT_PARTNER_ID: 'partner-1' }
  const settings = { ...variables, ...receiver.env, ...ofWidgets, SERVICE_SUBMIT_TIMEOUT: '1' }
  const server = await build(t, settings, { devnet })
  await server.listen({ host: '127.0.0.1', port: 0 })

  const submissions = ['submitTransfer', 'submitSwap']
  devnet.chain.pause()
  for (const operationId of submissions) await send(server, operationId)
  devnet.chain.resume()
  const untilCommitted = (operationId: string) =>
    until(async () => {
      const result = await send(server, operationId)
      return 'txId' in result && result
    }, `${operationId} is in a block`)
  const transfer = await untilCommitted('submitTransfer')
  const swap = await untilCommitted('submitSwap')
  await send(server, 'submitTransfer', text =>
    text.replace(payee, specialTargets.refusedByEvent).replace(String(exampleOf(feeId())), 'refused')
  )

  const lock = await send(server, 'createLockIntent')
  const { bitcoin } = devnet
  const payer = String(exampleOf(AddressQuery.properties.address))
  const txid = bitcoin.pay([[lock.htlcAddress, lock.amountSats]])
  bitcoin.pay([[payer, lock.amountSats]])
  bitcoin.mine(3)

  const { webhooks } = webhookDocument(brandNames('service'))
  const isOfService = (type: string) => /^(wallet|service)\./.test(type)
  async function receive(type: string): Promise<void> {
    const isMeant = ({ data }: ReceivedEvent) => isOfService(type) || data.kind === 'transfer'
    const { id: _, ...request } = await until(() => {
      // The wallet's state must last before it is reported.
      if (isOfService(type)) advanceClock(5)
      return receiver.events.find(event => event.type === type && isMeant(event))
    }, `${type} has arrived`)
    const operationId = webhooks[type]?.['post']?.operationId
    if (operationId !== undefined) seen[operationId] = { request }
  }
  for (const type of Object.keys(webhooks)) if (!isOfService(type)) await receive(type)
  await until(
    () => receiver.events.some(({ type, data }) => type === 'transfer.finished' && data.kind === 'swap'),
    'the swap is finished'
  )
  for (const { operationId } of operationsOf(documentOf(server))) {
    if (submissions.includes(operationId)) continue
    const change = (text: string) =>
      text
        .replace(/^\/tx\/\d+/, `/tx/${transfer.txId}`)
        .replace(/^\/swap_tx\/\d+/, `/swap_tx/${swap.txId}`)
        .replace(/^\/tx\/lp\/\d+/, '/tx/lp/1')
        .replace(String(exampleOf(submissionId())), transfer.submissionId)
        .replace(String(exampleOf(uuid())), lock.lockId)
        .replace(String(exampleOf(OutspendQuery.properties.txid)), txid)
    // On a slow machine, the service might lag behind the chain.
    await until(async () => {
      const { ready = true, checks } = await send(server, operationId, change)
      return ready && !checks?.engine.action
    }, operationId)
  }

  const poor = { SERVICE_BACKEND_MNEMONIC: OTHER_WALLET, SERVICE_DAILY_FEE_LIMIT: '9'.repeat(24) }
  const other = await build(t, { ...receiver.env, ...poor }, { devnet })
  await until(async () => {
    const { checks } = (await other.inject('/ready')).json()
    return !checks.signer.ok && checks.store.ok && checks.rpc.ok && checks.chainApi.ok && checks.engine.action
  }, '/ready reports the rejected wallet')
  await send(other, 'getReady')
  await receive('wallet.low_balance')
  await receive('service.blocked')
  devnet.control.allow(devnet.addresses.other)
  await receive('service.unblocked')

  assertWritten(t, 'examples.json', seen)
})

test('the examples in the widget’s document match the service’s responses', async t => {
  const server = await build(t, { SERVICE_RESPONSE_FORMAT: 'widget' })
  const seen: Seen = {}
  const send = senderTo(seen)
  for (const operationId of ['submitTransfer', 'submitSwap'])
    await until(async () => 'txId' in (await send(server, operationId)), `${operationId} is in a block`)
  await send(server, 'getFees')
  for (const [operationId, path] of [
    ['getTransactionStatus', '/tx/1'],
    ['getSwapStatus', '/swap_tx/2'],
    ['getLiquidityTransactionStatus', '/tx/lp/1']
  ] as const)
    await until(
      async () => 'data' in (await send(server, operationId, () => `${path}/status`)),
      `${operationId} finds the transaction`
    )
  assertWritten(t, 'examples-widget.json', seen)
})

test('a recorded example stays until more than its ids, hashes or times change', async t => {
  const one = { id: '4f6a2b9c-0000-4000-8000-000000000001', at: '2026-01-01T00:00:00.000Z', status: 'new' }
  const again = { ...one, id: one.id.replace('1', '2'), at: '2027-01-01T00:00:00.000Z' }
  const other = { ...again, status: 'old' }
  const merged = mergeExamples({ op: { 200: one, 404: one } }, { op: { 200: again, 404: other } })
  t.strictSame(merged, { op: { 200: one, 404: other } })
})

function senderTo(seen: Seen, headers = {}) {
  return async (server: FastifyInstance, operationId: string, change = (text: string) => text) => {
    const operation = operationsOf(documentOf(server)).find(each => each.operationId === operationId)
    if (operation === undefined) throw new Error(`the document has no operation ${operationId}`)
    const { url, payload = '', ...example } = exampleRequest(operation)
    const request = { ...example, url: change(url), headers: { ...example.headers, ...headers } }
    const response = await server.inject(payload === '' ? request : { ...request, payload: change(payload) })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    const body = isJson ? response.json() : response.body
    const isLong = operation.tags.some(tag => ['chains', 'service'].includes(tag))
    if (response.statusCode < 300 || !isObject(body) || !('code' in body))
      seen[operationId] = { ...seen[operationId], [response.statusCode]: isLong ? shortened(body) : body }
    return body
  }
}

function assertWritten(t: Test, name: string, seen: Seen): void {
  const file = new URL(`../../schemas/${name}`, import.meta.url)
  let written: Seen = JSON.parse(readFileSync(file, 'utf8'))
  if (process.env['EXAMPLES'] === 'write') {
    written = mergeExamples(written, seen)
    writeFileSync(file, JSON.stringify(written))
  }
  t.strictSame(shapeOf(seen), shapeOf(written), 'npm run examples writes the file')
}
