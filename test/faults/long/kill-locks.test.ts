import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { poolKeys } from '../../../packages/devnet/registry/pools.ts'
import type { LockIntent } from '../../../schemas/bitcoin.ts'
import { createMessageTypes } from '../../../services/messages/index.ts'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { createBitcoinWallet } from '../../helpers/bitcoin-wallet.ts'
import { readBlocks } from '../../helpers/oracle/read-blocks.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { createRandom } from '../../simulation/random.ts'
import { createFrontDoor } from '../front-door.ts'
import { isFailed, look, PAUSE_MS } from '../transfers.ts'

const rounds = Number(process.env['ROUNDS']) || 30
const seed = Number(process.env['SEED']) || randomInt(2 ** 31)

const PER_ROUND = 4
const SATS = 2_000_000
const { requestHtlcLock, requestTransaction } = createMessageTypes('service')
/** A block refuses the transaction because of the lock or its transfer, so each is tried again alone. */
const NOT_NOW = { code: 9, codespace: 'transaction', log: 'not now', simulated: false }

test('SIGKILL neither loses nor repeats a lock or its transfer, and keeps their order', async t => {
  t.comment(`SEED=${seed} ROUNDS=${rounds}`)
  const random = createRandom(seed, 'kills')
  const network = await startNetwork(t)
  const { bitcoin, chain } = network
  const env = testEnv(t, network, { SERVICE_SUBMIT_TIMEOUT: '150' })
  const door = createFrontDoor()
  const body = {
    originChain: 'BTC',
    originSymbol: 'BTC',
    targetAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    targetChain: 'ETH',
    targetSymbol: 'WBTC',
    amount: SATS - 1000,
    fee: 1000,
    decimals: 8
  }

  /** @returns the body of a submission with a lock of its own */
  async function lock(url: string, index: number) {
    const { address, publicKey } = createBitcoinWallet()
    const parties = { senderAddress: address, senderPubkey: publicKey, recipientAddress: body.targetAddress }
    const intent = { ...parties, poolAddress: poolKeys.reserved, amountSats: SATS }
    const response = await patientPost(`${url}/btc/htlc/lock-intent`, intent)
    const prepared = (await response.json()) as LockIntent
    return {
      ...body,
      originAddress: address,
      options: JSON.stringify({ feeId: `lock-${index}` }),
      htlcLockId: prepared.lockId,
      htlcCreationHash: bitcoin.pay([[prepared.htlcAddress, SATS]]),
      htlcCreationVout: 0,
      htlcExpirationTimestamp: String(prepared.timeout),
      htlcVersion: 'p2wsh-sha256-cltv-v1',
      senderPubKey: publicKey
    }
  }

  /** Retries until the transfer is executed. */
  async function submit(payload: object): Promise<void> {
    for (;;) {
      await delay(PAUSE_MS)
      const response = await patientPost(`${await door.find()}/submit`, payload).catch(() => undefined)
      if (response === undefined || response.status === 503) continue
      const text = await response.text().catch(() => undefined)
      if (text === undefined) continue
      if (response.status === 200) return
      if (response.status !== 202) throw new Error(text)
      const taken = await look(await door.find(), JSON.parse(text).submissionId)
      if (isFailed(taken) || taken.status === 'pending') continue
      t.match(taken, { status: 'committed' })
      return
    }
  }

  let server = await startServer(t, env)
  const payloads: Awaited<ReturnType<typeof lock>>[] = []
  for (let index = 0; index < rounds * PER_ROUND; index++) payloads.push(await lock(server.url, index))
  bitcoin.mine(3)
  const done: Promise<void>[] = []
  for (let round = 0; round < rounds; round++) {
    door.open(server.url)
    const mine = payloads.slice(round * PER_ROUND, (round + 1) * PER_ROUND)
    const { htlcCreationHash: hash, originAddress } = random.pick(mine)
    const containing = random.chance(0.5)
      ? `"htlcCreationHash":"${hash}"`
      : `"fromAddress":"${originAddress}"`
    chain.failMessages({ ...NOT_NOW, containing }, random.int(1, 2))
    done.push(...mine.map(submit))
    await delay(random.int(200, 2500))
    door.close()
    await server.stop('SIGKILL')
    server = await startServer(t, env)
  }
  door.open(server.url)
  await Promise.all(done)

  const places = { lock: new Map<string, number[]>(), transfer: new Map<string, number[]>() }
  let separate = 0
  for (const [place, { bytes, code }] of (await readBlocks(network.urls.rpc)).entries()) {
    const { messages } = TxBody.decode(TxRaw.decode(bytes).bodyBytes)
    if (code === 0 && messages.length === 1) separate += 1
    for (const [index, { typeUrl, value }] of code === 0 ? messages.entries() : []) {
      const isLock = typeUrl === requestHtlcLock.typeUrl
      const name = isLock
        ? requestHtlcLock.decode(value).txHash
        : requestTransaction.decode(value).htlcCreationHash
      const seen = places[isLock ? 'lock' : 'transfer']
      seen.set(name, [...(seen.get(name) ?? []), place * 1000 + index])
    }
  }
  t.comment(`${payloads.length} pairs, ${separate} messages alone`)
  t.equal(places.lock.size, payloads.length)
  t.equal(places.transfer.size, payloads.length)
  const wrong = [...places.transfer].filter(([name, [transfer = 0, ...again]]) => {
    const [first = Number.POSITIVE_INFINITY, ...more] = places.lock.get(name) ?? []
    return first > transfer || again.length > 0 || more.length > 0
  })
  t.strictSame(wrong, [], 'each lock and each transfer was executed once, the lock first')
})
