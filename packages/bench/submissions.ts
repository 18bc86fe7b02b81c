import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { DirectSecp256k1HdWallet, Registry } from '@cosmjs/proto-signing'
import { calculateFee, GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { request } from 'undici'
import { brandNames } from '../../schemas/brand.ts'
import { createMessageTypes } from '../../services/messages/index.ts'
import { contradictions, readChainOverRpc, type Told } from '../../test/helpers/oracle/index.ts'
import { ownRequest, transferFields } from '../../test/helpers/transfer.ts'
import { PATIENCE_MS } from '../../test/helpers/until.ts'
import { DEVELOPMENT_WALLET } from '../devnet/wallets.ts'
import { isSmallest, type Network, run, type Server, startNetwork, startService, untilReady } from './lab.ts'
import { type Figure, percentile, type Result, sum } from './report.ts'

/** How long a client waits before it retries a submission without a result. */
const PAUSE_MS = 100

/** The outcome of one submission. A committed one has a height. */
interface Outcome {
  height?: number
  reason?: string
  feeId?: string
  told?: Extract<Told, { status: 'committed' }>
}

type Answer = Outcome & { answeredAt: number }

type Submit = () => Promise<Outcome>
const isCommitted = ({ height }: Outcome) => height !== undefined

/** Runs clients that each submit one transfer after another while `more` returns true. */
async function runClients(count: number, submit: Submit, more: (answers: Answer[]) => boolean) {
  const answers: Answer[] = []
  async function client(_: unknown, index: number): Promise<void> {
    // Clients start one after another, so that the listen backlog does not overflow.
    await delay(index)
    while (more(answers)) answers.push({ ...(await submit()), answeredAt: Date.now() })
  }
  await Promise.all(Array.from({ length: count }, client))
  return answers
}

/** Clients of the service retry a submission with the same feeId until it has a result. */
function submitTo({ url }: Server): Submit {
  async function ask(feeId: string): Promise<Outcome | undefined> {
    const { path, body } = ownRequest(feeId)
    const headers = { 'content-type': 'application/json' }
    // Takes a fraction of the CPU time of `fetch`, which would delay the responses of a full block.
    const { statusCode, body: received } = await request(url + path, { method: 'POST', headers, body })
    const answer = Object(await received.json())
    if (statusCode === 202 || statusCode === 503) return undefined
    if (statusCode !== 200) return { reason: `HTTP ${statusCode}`, feeId }
    return { height: answer.height, feeId, told: { ...answer, status: 'committed' } }
  }
  return async () => {
    const feeId = randomUUID()
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(PAUSE_MS)) {
      const outcome = await ask(feeId).catch(() => undefined)
      if (outcome !== undefined) return outcome
    }
    return { reason: 'no result', feeId }
  }
}

/** Counts the submissions that were not committed and the responses that contradict the chain. */
async function wrongOf({ rpc, address }: Network, answers: readonly Answer[]): Promise<number> {
  const failed = answers.filter(answer => !isCommitted(answer))
  const requests = answers.flatMap(({ feeId, told }) =>
    feeId === undefined ? [] : [{ feeId, ...ownRequest(feeId), told: told ? [told] : [] }]
  )
  const contradicted = contradictions(await readChainOverRpc(rpc, address), requests)
  const lines = [...failed.map(({ reason }) => `not committed: ${reason}`), ...contradicted]
  for (const line of lines.slice(0, 20)) process.stderr.write(`${line}\n`)
  return lines.length
}

/**
 * Submits as services usually do: a new CosmJS client per request simulates, signs and broadcasts with the library's
 * defaults. Derives the wallet only once, which makes this faster than many services.
 */
async function usualWay({ rpc, address, env }: Network): Promise<Submit> {
  const { requestTransaction } = createMessageTypes('service')
  const { prefix, denom } = brandNames(env['SERVICE_BRAND'] ?? '')
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(DEVELOPMENT_WALLET, { prefix })
  const registry = new Registry([[requestTransaction.typeUrl, requestTransaction]])
  const gasPrice = GasPrice.fromString(`0.025${denom}`)

  async function submit(): Promise<Outcome> {
    const value = requestTransaction.fromPartial({ ...transferFields(randomUUID()), creator: address })
    const messages = [{ typeUrl: requestTransaction.typeUrl, value }]
    const client = await SigningStargateClient.connectWithSigner(rpc, wallet, { registry, gasPrice })
    const gas = await client.simulate(address, messages, '')
    const fee = calculateFee(Math.ceil(gas * 1.5), gasPrice)
    const { code, height } = await client.signAndBroadcast(address, messages, fee, '')
    client.disconnect()
    return code === 0 ? { height } : { reason: `code ${code}` }
  }

  return () => submit().catch(error => ({ reason: String(error) }))
}

/** Number of blocks to ignore at the start of a load, while clients start, and at its end, while they finish. */
const ENDS = 3

/**
 * Block time and gas limit. One core submits more than such blocks can hold, so the chain is the limit, and more
 * clients wait than fit into a block.
 */
const [BLOCK_MS, BLOCK_GAS] = [1000, 16_000_000]
const LOAD = isSmallest
  ? { clients: 2, warmUp: 2, count: 6, usualClients: 1, usualMs: 0 }
  : { clients: 512, warmUp: 2000, count: 10_000, usualClients: 256, usualMs: 20_000 }

/** Loads a service whose clients submit again when they have a response, then the usual way on the same network. */
async function submissions(): Promise<Result> {
  const { clients, warmUp, count, usualClients, usualMs } = LOAD
  const network = await startNetwork(BLOCK_MS, BLOCK_GAS)
  const server = await startService(network)
  await untilReady(server)
  const times = (left: number) => () => left-- > 0
  const submit = submitTo(server)
  const warm = await runClients(clients, submit, times(warmUp))
  const [begin, before] = [performance.now(), await server.usage()]
  const own = await runClients(clients, submit, times(count))
  const seconds = (performance.now() - begin) / 1000
  const { cpuMs } = await server.usage()
  // The service must stop first: the usual way must be the wallet's only user.
  await server.stop()
  const wrong = await wrongOf(network, [...warm, ...own])

  const usualSubmit = await usualWay(network)
  const [usualBegin, usualCpu] = [performance.now(), process.cpuUsage()]
  const elapsed = () => performance.now() - usualBegin
  const isUnfinished = (answers: Answer[]) => elapsed() < usualMs || !answers.some(isCommitted)
  const usual = await runClients(usualClients, usualSubmit, isUnfinished)
  const { user, system } = process.cpuUsage(usualCpu)
  const committed = usual.filter(isCommitted).length
  const usualPerSecond = (committed * 1000) / elapsed()

  const heights = own.flatMap(({ height }) => height ?? [])
  const [first, last] = [Math.min(...heights), Math.max(...heights)]
  const all = network.blocks.filter(({ height }) => height >= first && height <= last)
  const inner = all.length > 2 * ENDS ? all.slice(ENDS, -ENDS) : all
  const gasWanted = sum(inner.map(({ gasWanted }) => gasWanted)) / inner.length
  const committedAt = new Map(network.blocks.map(block => [block.height, block.committedAt]))
  const lag = ({ height = 0, answeredAt }: Answer) => answeredAt - (committedAt.get(height) ?? Number.NaN)
  const afterBlock = (answers: Answer[], part: number) =>
    percentile(answers.filter(isCommitted).map(lag), part)
  const late = (name: string, part: number): Figure => ({
    name: `response after its block, ${name}`,
    unit: 'ms',
    value: afterBlock(own, part),
    compared: { 'usual way': afterBlock(usual, part) },
    atMost: 50
  })
  return {
    title: 'Submissions',
    conditions:
      `${clients} clients, ${count} submissions after ${warmUp} to warm up; blocks of ${BLOCK_MS} ms and ${BLOCK_GAS} gas. The usual ` +
      `way is a new CosmJS client for each request: ${usualClients} clients submitted ${usual.length} times, and ${committed} were ` +
      'committed.',
    figures: [
      { name: 'how full the blocks are', unit: '%', value: (100 * gasWanted) / BLOCK_GAS, atLeast: 99 },
      {
        name: 'submissions per second',
        unit: '/s',
        value: count / seconds,
        compared: { 'usual way': usualPerSecond }
      },
      late('median', 0.5),
      late('99 of 100', 0.99),
      {
        name: 'CPU time of a submission, HTTP included',
        unit: 'ms',
        value: (cpuMs - before.cpuMs) / count,
        compared: { 'usual way, without HTTP': (user + system) / 1000 / committed },
        atMost: 0.6
      }
    ],
    wrong
  }
}

await run([submissions])
