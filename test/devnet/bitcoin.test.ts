import { hex } from '@scure/base'
import { poolKeys } from '../../packages/devnet/registry/pools.ts'
import { htlcOutput, htlcScript, keyHashOf } from '../../services/bitcoin/htlc.ts'
import { createMessageTypes } from '../../services/messages/index.ts'
import { startNetwork } from '../helpers/app.ts'
import { createBitcoinWallet } from '../helpers/bitcoin-wallet.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { type Message, openAccount, sign, transfer } from './transactions.ts'

const { requestHtlcLock, htlcReclaim } = createMessageTypes('service')
const TIMEOUT = Math.floor(Date.now() / 1000) + 14_400
const SATS = 2_000_000

/** A network on which a user has locked 0.02 bitcoins for the pool. */
async function start(t: Test) {
  const devnet = await startNetwork(t)
  const { bitcoin, chain, addresses, urls } = devnet
  const { address, publicKey, pay } = createBitcoinWallet()
  bitcoin.pay([[address, 3 * SATS]])
  const keyHash = keyHashOf(poolKeys.reserved, 'testnet') ?? new Uint8Array()
  const { address: htlcAddress } = htlcOutput(htlcScript(keyHash, hex.decode(publicKey), TIMEOUT), 'testnet')
  const txHash = await pay(urls.bitcoin, htlcAddress, SATS)
  const creator = addresses.development
  const senderPubkey = Buffer.from(publicKey).toString('hex')
  const terms = { creator, fromAddress: address, senderPubkey, amount: '0.02', txHash, htlcAddress }

  let sequence = 0
  return {
    bitcoin,
    lock(change: Partial<typeof terms> & { htlcTimeout?: string } = {}) {
      const value = requestHtlcLock.fromPartial({ ...terms, htlcTimeout: String(TIMEOUT), ...change })
      return { typeUrl: requestHtlcLock.typeUrl, value }
    },
    reclaim(senderAddress = address) {
      const value = htlcReclaim.fromPartial({ creator, txHash, senderAddress })
      return { typeUrl: htlcReclaim.typeUrl, value }
    },
    request: (change: Parameters<typeof transfer>[1] = {}) =>
      transfer(creator, {
        originChain: 'BTC',
        originSymbol: 'BTC',
        originAddress: address,
        targetChain: 'ETH',
        targetSymbol: 'WBTC',
        amount: '0.019',
        fee: '0.001',
        htlcCreationHash: txHash,
        htlcExpirationTimestamp: String(TIMEOUT),
        ...change
      }),
    /** Puts one transaction into a block. @returns why the chain refuses it or its messages */
    async submit(...messages: Message[]): Promise<string[]> {
      const bytes = await sign(await openAccount(), messages, { sequence, gas: 2_000_000 })
      chain.pause()
      const { code, log } = chain.submitTx(bytes)
      if (code !== 0) return [log]
      sequence += 1
      const events = chain.produceBlock().txs.flatMap(({ result }) => result.events)
      chain.resume()
      const errors = events.filter(({ type }) => type === 'error').flatMap(({ attributes }) => attributes)
      return errors.filter(({ key }) => key === 'content').map(({ value }) => value)
    },
    settled(id: number) {
      const path = `/service-finance/service-blockchain/transaction/transaction_data/${id}`
      return until(async () => {
        const { transactionData: record } = Object(await (await fetch(urls.rest + path)).json())
        return /^(Completed|Failed)/.test(record?.status) && record
      }, `transfer ${id} is final`)
    },
    terms
  }
}

test('the pool’s key spends a registered lock only once', async t => {
  const { bitcoin, lock, request, settled, submit, terms } = await start(t)
  t.strictSame(await submit(lock(), request(), request()), [])
  const record = await settled(1)
  t.match(record, { status: 'Completed' })
  const { raw } = bitcoin.txs.get(record['tssPullHash'] ?? '') ?? {}
  t.equal(bitcoin.spenders.get(`${terms.txHash}:0`), record['tssPullHash'])
  t.match(raw?.outputs, [{ amount: BigInt(SATS - 200) }])
  t.match(await settled(2), { status: 'FailedToPull', failReason: /is spent by/ })
})

test('the chain refuses an invalid lock, and a transfer without its lock', async t => {
  const { lock, reclaim, request, submit } = await start(t)
  const other = 'tb1qcr8te4kr609gcawutmrza0j4xv80jy8zmfp6l0'
  const missing = 'the lock is not registered'
  const notAKey = 'senderPubkey is not a compressed key in hex, hex-encoded once more'
  const WRONG: [why: string, ...messages: Message[]][] = [
    ['htlcAddress is not the address of the lock', lock({ htlcAddress: other })],
    ['htlcAddress is not the address of the lock', lock({ htlcTimeout: String(TIMEOUT + 1) })],
    [notAKey, lock({ senderPubkey: '30'.repeat(66) })],
    [missing, request()],
    [missing, reclaim()],
    [missing, lock(), request({ originAddress: other })],
    ['the lock is registered already', lock()],
    ['the lock has another timeout', request({ htlcExpirationTimestamp: String(TIMEOUT + 1) })],
    ['the lock does not cover the amount', request({ amount: '0.01900001' })],
    ['the lock is reclaimed or used', request({ amount: '0.018' }), reclaim()],
    [missing, reclaim(other)],
    ['the lock is reclaimed', lock({ fromAddress: other }), reclaim(other), request({ originAddress: other })]
  ]
  for (const [why, ...messages] of WRONG) t.strictSame(await submit(...messages), [why])
  for (const field of ['senderPubkey', 'amount', 'htlcAddress'] as const)
    t.match(await submit(lock({ [field]: '' })), [RegExp(`${field} is invalid`)])
})
