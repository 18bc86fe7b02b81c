import { toBech32 } from '@cosmjs/encoding'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { specialTargets } from '../../../packages/devnet/modules/transfer/special-addresses.ts'
import { type ChainNode, transactionHash } from '../../../services/chain-client/index.ts'
import {
  type Account,
  DENOM,
  encoded,
  feeFor,
  openAccount,
  sendMessage as send,
  sign,
  swap,
  type TxOptions,
  transfer
} from '../../devnet/transactions.ts'
import { until } from '../../helpers/until.ts'

/** Each part of the test has its own account, with a known sequence. */
const accounts = {
  development: await openAccount(0),
  // The other public wallet is account 1.
  transactions: await openAccount(2),
  refusals: await openAccount(3),
  simulations: await openAccount(4),
  stranger: await openAccount(5),
  mempool: await openAccount(6),
  penniless: await openAccount(7)
}

const { development: _, ...own } = accounts

/** The genesis accounts and their coins, except the public wallets. */
export const GENESIS_ACCOUNTS = Object.entries(own).map(([name, { address }]) => ({
  address,
  coins: name === 'penniless' ? `5${DENOM}` : `1000000000${DENOM},777uother`
}))

const addressOf = (byte: number, prefix = 'service') => toBech32(prefix, new Uint8Array(20).fill(byte))

const RECIPIENT = addressOf(1)
/** An address that never appears on the chain. */
const UNKNOWN_ADDRESS = addressOf(2)
const OTHER_CHAIN_ADDRESS = addressOf(1, 'cosmos')

export type Note = (step: string, response: unknown) => void

/** Mempool capacity, small enough to be filled between two blocks. */
export const MEMPOOL_SIZE = 6

type Messages = readonly EncodeObject[]

const unaffordable = '99999999999999'
const refusedByEvent = { targetAddress: specialTargets.refusedByEvent }
const failing = { targetAddress: specialTargets.failedMessage }

/** Reads the node's status, accounts and blocks. None of these accounts changes during the test. */
export async function reads(node: ChainNode, note: Note): Promise<void> {
  const { height, blockTime: _time, ...status } = await node.status()
  note('status', status)
  // A real node has no parameters for the next height while it executes a block.
  const limits = () => node.blockLimits().catch(() => undefined)
  note('block limits', await until(limits, 'the node has consensus parameters'))
  const { address } = accounts.penniless
  note('an account', await node.account(address))
  note('an account at height 1', await node.account(address, 1))
  note('an unknown account', await node.account(UNKNOWN_ADDRESS))
  note('an account of another chain', await node.account(OTHER_CHAIN_ADDRESS))
  note('a balance', await node.balance(address, DENOM))
  note('a balance of nothing', await node.balance(address, 'unothing'))
  note('a balance of an unknown account', await node.balance(UNKNOWN_ADDRESS, DENOM))
  note('block 1', (await node.block(1))?.previousHash)
  note('a block in the future', await node.block(height + 1_000_000))
  await new Promise<void>(resolve => node.onNewBlock(() => resolve()))
}

/** Runs simulations for an account before and after its first transaction. */
export async function simulations(node: ChainNode, note: Note): Promise<void> {
  const from = accounts.simulations
  const development = accounts.development
  const simple = send(from.address, RECIPIENT, 1)
  const simulate = async (step: string, messages: Messages, sequence = 0, by: Account = from) =>
    note(step, await node.simulate({ messages: messages.map(encoded), publicKey: by.publicKey, sequence }))
  await simulate('a key that the chain does not know', [simple])
  await simulate('a sequence that is too high', [simple], 1)
  await simulate('fails at index 0', [send(from.address, RECIPIENT, unaffordable)])
  await simulate('fails at index 1', [simple, send(from.address, RECIPIENT, unaffordable)])
  await simulate('a request with a bad amount', [transfer(from.address, { amount: '' })])
  const requests = [transfer(development.address), swap(development.address)]
  await simulate('requests', requests, 0, development)
  const last = transfer(development.address, failing)
  await simulate('a request that fails at index 2', [...requests, last], 0, development)
  await executed(node, await sign(from, [simple]))
  await simulate('a sequence that is too low', [simple])
  await simulate('the next sequence', [simple], 1)
}

export async function refusals(node: ChainNode, note: Note): Promise<void> {
  const from = accounts.refusals
  const simple = send(from.address, RECIPIENT, 1)
  await executed(node, await sign(from, [simple]))
  const refused = async (step: string, options: TxOptions, messages: Messages = [simple], by = from) =>
    note(step, await node.broadcast(await sign(by, messages, { sequence: 1, ...options })))
  await refused('sequence too low', { sequence: 0, memo: 'again' })
  await refused('sequence too high', { sequence: 3 })
  await refused('wrong chain id', { chainId: 'another-chain' })
  await refused('wrong account number', { accountNumber: 999n })
  await refused('no signature', { signatures: [] })
  await refused('signed by another key', {}, [simple], { ...accounts.stranger, number: from.number })
  await refused('no fee', { fee: [] })
  await refused('fee too small', { fee: [{ denom: DENOM, amount: '4999' }] })
  await refused('fee in another denomination', { fee: [{ denom: 'uother', amount: '700' }] })
  await refused('fee above the balance', { fee: [{ denom: DENOM, amount: '99999999999' }] })
  await refused('gas 0', { gas: 0, fee: feeFor(200_000) })
  await refused('gas above the block', { gas: 40_000_001 })
  await refused('gas for the bytes only', { gas: 4000, fee: feeFor(200_000) })
  await refused('no messages', {}, [])
  await refused('sender unknown', {}, [send(UNKNOWN_ADDRESS, from.address, 1)])
  await refused('creator empty', {}, [transfer('')])
  const second = transfer(from.address, { amount: '' })
  await refused('the second of two messages is bad', {}, [simple, second])
  const poor = accounts.penniless
  await refused('no funds for the fee', { sequence: 0 }, [send(poor.address, from.address, 1)], poor)
}

/** Sends transactions that are included in a block. */
export async function results(node: ChainNode, note: Note): Promise<void> {
  const sequences = new Map<Account, number>()
  async function submit(step: string, by: Account, messages: Messages, options: TxOptions = {}) {
    const sequence = sequences.get(by) ?? 0
    sequences.set(by, sequence + 1)
    const tx = await sign(by, messages, { gas: 2_000_000, sequence, ...options })
    note(step, await executed(node, tx))
    note(`${step}, sent again`, await node.broadcast(tx))
  }
  const from = accounts.transactions
  const simple = send(from.address, RECIPIENT, 1)
  const bad = send(from.address, RECIPIENT, unaffordable)
  await submit('a payment', from, [simple], { memo: 'first' })
  await submit('insufficient funds in the second message', from, [simple, bad, simple])
  await submit('another denomination', from, [send(from.address, RECIPIENT, 1, 'unothing')])
  await submit('out of gas', from, [simple, simple, simple, simple], { gas: 62_000 })

  const wallet = accounts.development
  const { address } = wallet
  await submit('a transfer', wallet, [transfer(address)])
  await submit('a swap', wallet, [swap(address)])
  await submit('several', wallet, [transfer(address), swap(address), transfer(address)])
  const middle = swap(address, refusedByEvent)
  await submit('one is refused by an event', wallet, [transfer(address), middle, transfer(address)])
  await submit('the last of two fails', wallet, [transfer(address), transfer(address, failing)])
  await submit('the ids go on', wallet, [transfer(address)])
}

/** Sends a transaction that is too large, then sends transactions until the mempool is full. */
export async function mempool(node: ChainNode, note: Note): Promise<void> {
  const from = accounts.mempool
  const pay = (sequence: number, memo?: string) =>
    sign(from, [send(from.address, RECIPIENT, sequence + 1)], { sequence, ...(memo && { memo }) })
  note('larger than a block', await node.broadcast(await pay(0, 'x'.repeat(200_000))))
  const txs = await Promise.all(Array.from({ length: 90 }, (_, sequence) => pay(sequence)))
  for (const tx of txs) {
    const response = await node.broadcast(tx)
    if (response.status === 'accepted') continue
    note('a full mempool', response)
    return
  }
  throw new Error('the mempool did not fill up')
}

/** Sends a transaction. @returns its result, and whether the next header contains the hashes of its block */
async function executed(node: ChainNode, tx: Uint8Array) {
  let { height } = await node.status()
  const sent = await node.broadcast(tx)
  if (sent.status !== 'accepted') throw new Error(`${transactionHash(tx)}: ${JSON.stringify(sent)}`)
  for (; ; height += 1) {
    const block = await until(() => node.block(height), `block ${height} is made`)
    const found = block.transactions.find(({ hash }) => hash === transactionHash(tx))
    if (!found) continue
    const next = await until(() => node.block(height + 1), 'the next block is produced')
    const isChained = next.previousHash === block.hash && next.lastResultsHash === block.resultsHash
    return { ...found, isChained }
  }
}
