import type { Test } from 'tap'
import { loadConfig } from '../../../config/index.ts'
import type { Devnet } from '../../../packages/devnet/index.ts'
import { ConfigError } from '../../../services/config-error.ts'
import { openSigner } from '../../../services/wallet/open.ts'
import { build, testEnv, untilReady, type Variables } from '../../helpers/app.ts'
import { untilSample } from '../../helpers/metrics.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

const WRONG = `service1${'q'.repeat(38)}`

/** Returns the problems that a server with the signer prints on startup; empty if the server starts. */
export async function startProblems(t: Test, devnet: Devnet, signer: Variables): Promise<readonly string[]> {
  const env = testEnv(t, devnet, { SERVICE_SIGNER_ADDRESS: WRONG, ...signer })
  try {
    const { config, secrets } = loadConfig(env)
    await openSigner(config, secrets.mnemonic)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

/** Returns the address of a signer's key, read from the startup error when a wrong address is configured. */
export async function addressOf(t: Test, devnet: Devnet, signer: Variables): Promise<string> {
  const [line = ''] = await startProblems(t, devnet, signer)
  return /^SERVICE_SIGNER_ADDRESS is not .*; expected (service1\w{38})$/.exec(line)?.[1] ?? line
}

/** Functions that start a fault, and end it when called with false. */
type Faults = Record<string, (isOn: boolean) => void>

/** Asserts that a server with the signer recovers from each fault by itself, and executes each submission once. */
export async function signsThroughFaults(t: Test, devnet: Devnet, signer: Variables, faults: Faults) {
  const address = await addressOf(t, devnet, signer)
  devnet.control.allow(address)
  await devnet.control.send({ to: address, amount: 10_000_000n })
  const server = await build(t, { ...signer, SERVICE_SIGNER_ADDRESS: address }, { devnet })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const submit = async (feeId: string) => (await patientPost(`${url}/submit`, submitBody(feeId))).json()
  const readiness = async () => (await server.inject('/ready')).json().checks.signer
  await untilReady(server)
  t.match(await submit('fee-first'), { transactionHash: /^[0-9A-F]{64}$/ })
  for (const [name, turn] of Object.entries(faults)) {
    turn(true)
    const submitted = submit(`fee-${name}`)
    const isReported = async () => (await readiness()).detail === 'signer-unavailable'
    await until(isReported, `the server reports the signer fault: ${name}`)
    await untilSample(server, 'service_blocker_present', { kind: 'signer-unavailable' }, value => value === 1)
    t.equal(readChain(devnet, address).executions.get(`fee-${name}`), undefined)
    turn(false)
    t.match(await submitted, { transactionHash: /^[0-9A-F]{64}$/ }, name)
    await until(async () => (await readiness()).ok, `the signer recovers from: ${name}`)
  }
  const { executions } = readChain(devnet, address)
  for (const name of ['first', ...Object.keys(faults)]) t.equal(executions.get(`fee-${name}`), 1, name)
  t.equal(executions.size, 1 + Object.keys(faults).length)
}
