import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { OTHER_WALLET } from '../../../packages/devnet/wallets.ts'
import { startNetwork, temporaryFolder, testEnv, type Variables } from '../../helpers/app.ts'
import { durableStores } from '../../helpers/durable-stores.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { procedureSql } from '../../helpers/procedures.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { createRandom } from '../../simulation/random.ts'
import { decided, send, sendUntilTaken } from '../transfers.ts'

const rounds = Number(process.env['ROUNDS']) || 10
const seed = Number(process.env['SEED']) || randomInt(2 ** 31)
const SUBMISSIONS = 20

/** A custom signer with the other wallet's key. Signing takes 50 ms, as with a key service. */
const MODULE = `
import { DirectSecp256k1HdWallet } from '${import.meta.resolve('@cosmjs/proto-signing')}'
export default async () => {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic('${OTHER_WALLET}', { prefix: 'service' })
  return {
    getAccounts: () => wallet.getAccounts(),
    async signDirect(...request) {
      await new Promise(resolve => setTimeout(resolve, 50))
      return wallet.signDirect(...request)
    }
  }
}
`

for (const [name, { newPlace }] of Object.entries(await durableStores())) {
  test(`${name}: a hand-over to another signer between kills neither loses nor repeats a transfer`, async t => {
    t.comment(`SEED=${seed} ROUNDS=${rounds}`)
    const random = createRandom(seed, 'hand-over')
    const devnet = await startNetwork(t)
    const { development, other } = devnet.addresses
    const place = await newPlace(t)
    const env = testEnv(t, devnet, { ...place.env, SERVICE_SUBMIT_TIMEOUT: '100' })

    async function start(variables: Variables) {
      const server = await startServer(t, { ...env, ...variables })
      const engine = async () => JSON.parse(await (await fetch(`${server.url}/ready`)).text()).checks.engine
      return { ...server, engine }
    }

    const feeIds = Array.from({ length: SUBMISSIONS }, (_, index) => `fee-${index}`)
    const first = await start({})
    await until(async () => (await first.engine()).ok, 'the first wallet leads')
    // When the next wallet starts, some of these transfers are in slots and others are queued.
    await Promise.all(feeIds.slice(10).map(feeId => sendUntilTaken(first.url, feeId)))
    devnet.chain.pause()
    await Promise.all(feeIds.slice(0, 10).map(feeId => sendUntilTaken(first.url, feeId)))
    await first.stop('SIGKILL')

    const SERVICE_INTAKE = 'closed'
    for (let round = 0; round < rounds; round += 1) {
      const { stop, url } = await start({ SERVICE_INTAKE })
      t.equal((await send(url, `new-${round}`)).status, 'closed')
      if (random.chance(0.5)) devnet.chain.produceBlock()
      await delay(random.next() * 300)
      await stop('SIGKILL')
    }
    devnet.chain.resume()
    const closed = await start({ SERVICE_INTAKE })
    await until(
      async () => (await closed.engine()).detail === 'intake closed, 0 unsettled',
      'every submission is settled'
    )
    const results = (url: string) =>
      Promise.all(feeIds.map(async feeId => decided(url, await send(url, feeId))))
    const before = await results(closed.url)
    t.ok(before.every(({ status }) => status === 'committed'))
    t.equal(await closed.stop('SIGTERM'), 0)

    await place.execute(procedureSql('Wallet hand-over', { ADDRESS: development, NEW: other }))
    devnet.control.allow(other)
    const module = join(temporaryFolder(t), 'signer.mjs')
    writeFileSync(module, MODULE)
    const signer = {
      SERVICE_SIGNER: 'module',
      SERVICE_SIGNER_MODULE: module,
      SERVICE_SIGNER_ADDRESS: other
    }
    const killed = await start(signer)
    await until(async () => (await killed.engine()).ok, 'the next wallet leads')
    const later = ['later-0', 'later-1', 'later-2']
    await Promise.all(later.map(feeId => sendUntilTaken(killed.url, feeId)))
    await killed.stop('SIGKILL')
    const last = await start(signer)
    await until(async () => (await last.engine()).ok, 'the next wallet leads again after the kill')
    const same = await results(last.url)
    for (const [index, told] of same.entries()) t.match(told, before[index] ?? {})
    for (const feeId of later)
      t.match(await decided(last.url, await send(last.url, feeId)), { status: 'committed' })
    t.equal(await last.stop('SIGTERM'), 0)

    const { executions } = readChain(devnet, other)
    t.strictSame([...executions.keys()].sort(), [...feeIds, ...later].sort())
    t.ok([...executions.values()].every(count => count === 1))
  })
}
