import { walletAddress } from '../../../packages/devnet/wallets.ts'
import type { Readiness } from '../../../schemas/readiness.ts'
import { decided, send } from '../../faults/transfers.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { type Replica, replicaSite, untilReady } from './replicas.ts'

/** A wallet that the chain does not know. */
const UNKNOWN_WALLET = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

async function readiness({ url }: Replica): Promise<Readiness> {
  return JSON.parse(await (await fetch(`${url}/ready`)).text())
}

/** The status and the code of a refused submission. */
async function refusal({ url }: Replica, feeId: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/submit`, { method: 'POST', headers, body: submitBody(feeId) })
  return `${response.status} ${JSON.parse(await response.text()).code}`
}

test('all replicas refuse for the same reason, also after the leader was killed, and all recover', async t => {
  const env = { SERVICE_BACKEND_MNEMONIC: UNKNOWN_WALLET }
  const { network, running, start, stop, leader } = await replicaSite(t, { network: { control: true } })
  const address = await walletAddress(UNKNOWN_WALLET, 'service')
  await Promise.all([start(env), start(env), start(env)])

  let refusals = 0

  async function allRefuse(check: 'signer' | 'engine', reason: string, code: string): Promise<void> {
    await until(async () => {
      const answers = await Promise.all(running.map(readiness))
      return answers.every(({ ready, checks }) => !ready && checks[check].detail === reason)
    }, `all say ${reason}`)
    // A new leader has to find the reason itself. What is accepted until then waits.
    await until(async () => {
      refusals += 1
      const codes = await Promise.all(running.map(replica => refusal(replica, `fee-refused-${refusals}`)))
      return codes.every(given => given === `503 ${code}`)
    }, `all answer ${code}`)
  }

  async function allAccept(feeId: string): Promise<void> {
    await untilReady(running)
    for (const [index, { url }] of running.entries()) {
      const answer = await decided(url, await send(url, `${feeId}-${index}`))
      t.equal(answer.status, 'committed', feeId)
    }
  }

  await allRefuse('signer', 'wallet-unknown', 'WALLET_UNKNOWN')
  await network.control.send({ from: 'other', to: address, amount: 10_000_000n })
  await allRefuse('signer', 'wallet-not-whitelisted', 'WALLET_NOT_WHITELISTED')

  const { replica, term } = await leader()
  await stop(replica, 'SIGKILL')
  await start(env)
  await leader(term)
  await allRefuse('signer', 'wallet-not-whitelisted', 'WALLET_NOT_WHITELISTED')
  network.control.allow(address)
  await allAccept('fee-allowed')

  network.control.setFrozen(true)
  network.control.produceBlocks(30)
  network.control.prune(network.chain.height)
  network.control.setFrozen(false)
  await allRefuse('engine', 'history-pruned', 'INTAKE_CLOSED')
})
