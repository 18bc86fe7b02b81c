import { toHex } from '@cosmjs/encoding'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { account, base64, RECIPIENT, send, sign, type TxOptions } from '../accounts.ts'
import { atOneHeight, type Conversation, type Note } from '../conversation.ts'
import { included } from '../included.ts'
import { at, type HttpAnswer, type Network } from '../network.ts'
import { swap, transfer } from '../requests.ts'

/** Estimates of gas, which also find out whether a transaction would fail. */
export const simulations: Conversation = {
  name: 'simulations',
  async play(network, note) {
    await atOneHeight(network, note, noteHere => beforeTheFirst(network, noteHere))
    const tx = await sign(from, [simple])
    const sent = await network.call('broadcast_tx_sync', { tx: base64(tx) })
    note('a transaction of the same account', sent)
    await included(network, tx)
    await atOneHeight(network, note, noteHere => afterTheFirst(network, noteHere))
  }
}

const from = account('simulations')
const development = account('development')
const simple = send(from.address, RECIPIENT, 1)
const unsigned = { signatures: [new Uint8Array()] }

/** Notes the simulations of unsigned transactions. */
function simulator(network: Network, note: Note) {
  return async (
    step: string,
    messages: Parameters<typeof sign>[1],
    options: TxOptions = {},
    by = from
  ): Promise<void> =>
    note(step, await simulate(network, await sign(by, messages, { ...unsigned, ...options })))
}

async function beforeTheFirst(network: Network, note: Note): Promise<void> {
  const simulated = simulator(network, note)
  const unaffordable = send(from.address, RECIPIENT, '99999999999999')
  await simulated('a key that the chain does not know', [simple])
  await simulated('without fee and gas', [simple], { fee: [], gas: 0 })
  await simulated('sequence too high', [simple], { sequence: 1 })
  await simulated('fails at index 0', [unaffordable])
  await simulated('fails at index 1', [simple, unaffordable])
  await simulated('not whitelisted', [transfer(from.address, 'a')])
  await simulated('gas limit too small', [simple], { gas: 1000 })
  await simulated('gas above the block', [simple], { gas: 40_000_001 })
  await simulated('fee above the balance', [simple], {
    fee: [{ denom: 'uSERVICE', amount: '99999999999' }]
  })
  await simulated('transfer with a bad amount', [transfer(from.address, 'a', { amount: '' })])
}

async function afterTheFirst(network: Network, note: Note): Promise<void> {
  const simulated = simulator(network, note)
  await simulated('sequence too low', [simple])
  await simulated('the next sequence', [simple], { sequence: 1 })
  await simulated('a request', [transfer(development.address, 'a')], { sequence: 0 }, development)
  await simulated(
    'several requests',
    [transfer(development.address, 'a'), swap(development.address, 'b')],
    { sequence: 0 },
    development
  )
  const failing = { targetAddress: `0x${'f7'.padStart(40, '0')}` }
  await simulated(
    'a request that fails at index 1',
    [transfer(development.address, 'a'), transfer(development.address, 'b', failing)],
    { sequence: 0 },
    development
  )
}

const PATH = '/cosmos.tx.v1beta1.Service/Simulate'

/** The answer, with a successful response decoded in place of its bytes. */
async function simulate(network: Network, txBytes: Uint8Array): Promise<HttpAnswer> {
  const data = toHex(SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes })).finish())
  const answer = await network.call('abci_query', { path: PATH, data })
  const value = at(answer.body, 'result', 'response', 'value')
  if (typeof value !== 'string') return answer
  const { gasInfo, result } = SimulateResponse.decode(Buffer.from(value, 'base64'))
  const response = at(answer.body, 'result', 'response')
  const body = {
    ...(typeof response === 'object' && response),
    value: undefined,
    gas_wanted: String(gasInfo?.gasWanted),
    gas_used: String(gasInfo?.gasUsed),
    log: result?.log,
    data: base64(result?.data ?? new Uint8Array()),
    events: result?.events,
    responses: result?.msgResponses.map(({ typeUrl, value }) => ({ typeUrl, value: base64(value) }))
  }
  return { ...answer, body }
}
