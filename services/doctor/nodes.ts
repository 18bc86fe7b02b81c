import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type ChainNode, createRpcNode, type NodeStatus } from '../chain-client/index.ts'
import { systemClock } from '../clock.ts'
import { messageOf, shorten } from '../errors/shown.ts'
import { createControl } from '../submission/act/examining.ts'
import { BLOCKERS } from '../submission/decide/blockers.ts'
import { listPrices, priceVerdict } from '../submission/decide/fees.ts'
import type { Signer } from '../wallet/signer.ts'
import { checking, type Finding, type Found, fine, problem, warning } from './finding.ts'

const TIMEOUT_MS = 4000

/** How far this machine's clock may differ from the newest block, in milliseconds. */
const MAX_AHEAD_MS = 5000
const MAX_AGE_MS = 60_000

/** The maximum number of blocks that a node may be behind the others. */
const MAX_LAG = 10

const SET_CLOCK = 'Set the clock, with NTP.'

export interface NodeQuestions {
  urls: readonly string[]
  /** Undefined while the signer cannot be opened. */
  address: string | undefined
  /** The store's chain, if it has one. */
  chainId: string | undefined
  fees: { feeDenom: string; gasPrice: string }
  lowBalance: bigint | undefined
  /** Simulates a request of this wallet; omit to skip. */
  control?: { wallet: Signer; request: Any } | undefined
}

interface Answering {
  node: ChainNode
  status: NodeStatus
}

/** Returns the entries that differ from the most frequent response: all, if two responses are equally frequent. */
function outliers<T>(entries: readonly { of: T; answer: string }[]): T[] {
  const counts = new Map<string, number>()
  for (const { answer } of entries) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  const most = Math.max(...counts.values())
  const usual = [...counts].filter(([, count]) => count === most)
  if (counts.size < 2) return []
  return entries.filter(({ answer }) => usual.length > 1 || answer !== usual[0]?.[0]).map(({ of }) => of)
}

/**
 * Compares the nodes with each other, with the store and with the configuration.
 * @returns the findings, and the chain on which most nodes are
 */
export async function examineNodes(
  questions: NodeQuestions
): Promise<{ findings: Finding[]; chainId: string | undefined }> {
  const nodes = questions.urls.map(url => createRpcNode({ url, timeoutMs: TIMEOUT_MS, clock: systemClock }))
  const checkNode = ({ host }: ChainNode, check: () => Promise<Found[]>) =>
    checking(`node ${host}`, BLOCKERS['node-unreachable'].action, check)
  let chainId = questions.chainId
  try {
    const answering: Answering[] = []
    const away = await Promise.all(
      nodes.map(node =>
        checkNode(node, async () => {
          answering.push({ node, status: await node.status() })
          return []
        })
      )
    )
    // Sort the nodes in the configured order.
    answering.sort((one, other) => nodes.indexOf(one.node) - nodes.indexOf(other.node))
    const foreign = outliers(answering.map(of => ({ of, answer: of.status.chainId })))
    const usual = answering.find(one => !foreign.includes(one))?.status.chainId
    chainId ??= usual
    const onChain = answering.filter(({ status }) => status.chainId === (chainId ?? status.chainId))
    const newest = Math.max(...onChain.map(({ status }) => status.height))
    const found = await Promise.all([
      ...answering.map(one => checkNode(one.node, () => examine(one, chainId, newest))),
      checking('nodes', BLOCKERS['nodes-disagree'].action, () => compareBlocks(onChain, nodes.length)),
      checking('clock', SET_CLOCK, () => examineClock(onChain))
    ])
    return { findings: [...away, ...found].flat(), chainId }
  } finally {
    await Promise.all(nodes.map(node => node.close()))
  }

  async function examine({ node, status }: Answering, chain: string | undefined, newest: number) {
    const { height, blockTime, catchingUp } = status
    const { action } = BLOCKERS['foreign-chain']
    if (chain === undefined)
      return [problem(`chain ${status.chainId}, but other nodes are on another chain`, action)]
    if (status.chainId !== chain) return [problem(`chain ${status.chainId}, not ${chain}`, action)]
    if (catchingUp || newest - height > MAX_LAG) {
      const detail = `block ${height} of ${newest}: it is behind`
      return [warning(detail, 'Wait until it has caught up, or replace it.')]
    }
    const age = Math.round((systemClock.now() - blockTime) / 1000)
    const [price, wallet] = await Promise.all([
      examinePrice(node),
      questions.address === undefined ? [] : examineWallet(node, questions.address)
    ])
    return [fine(`chain ${status.chainId}, block ${height}, ${age} s old`), ...price, ...wallet]
  }

  async function examinePrice(node: ChainNode): Promise<Found[]> {
    const { fees } = questions
    const required = await node.requiredPrices()
    const detail = `requires ${listPrices(required) || 'no price'}, SERVICE_GAS_PRICE is ${fees.gasPrice}${fees.feeDenom}`
    switch (priceVerdict(required, fees)) {
      case 'refused':
        return [problem(detail, BLOCKERS['price-refused'].action)]
      case 'raised':
        return [warning(detail, 'Raise SERVICE_GAS_PRICE to the price that the nodes require.')]
      case 'accepted':
        return []
    }
  }

  async function examineWallet(node: ChainNode, address: string): Promise<Found[]> {
    const { fees, lowBalance, control } = questions
    const account = await node.account(address)
    const unknown = BLOCKERS['wallet-unknown'].action
    if (account === undefined) return [problem(`has no account for ${address}`, unknown)]
    if ('expectedPrefix' in account)
      return [problem(`addresses on this chain begin with ${account.expectedPrefix}`, unknown)]
    if ('typeUrl' in account) {
      const detail = `the account has the type ${shorten(account.typeUrl)}, which the service cannot read`
      return [problem(detail, BLOCKERS['account-unsupported'].action)]
    }
    const balance = await node.balance(address, fees.feeDenom)
    const has = `${address} has ${balance}${fees.feeDenom}`
    const rights = control ? await examineRights(node, account.sequence, control) : []
    if (balance === 0n && Number(fees.gasPrice) > 0)
      return [problem(has, BLOCKERS['insufficient-funds'].action), ...rights]
    if (lowBalance !== undefined && balance < lowBalance)
      return [warning(`${has}, below SERVICE_DAILY_FEE_LIMIT`, 'Send the wallet funds.'), ...rights]
    return rights
  }

  /** Asks whether the chain accepts the control message, as the engine does. */
  async function examineRights(
    node: ChainNode,
    nextSequence: number,
    { wallet, request }: NonNullable<NodeQuestions['control']>
  ): Promise<Found[]> {
    const { control } = createControl({
      chain: { simulate: async simulation => ({ ...(await node.simulate(simulation)), node: node.host }) },
      wallet,
      feeDenom: questions.fees.feeDenom,
      controlRequest: request,
      walletState: () => ({ nextSequence, controlPassed: false }),
      setControlPassed: async () => {}
    })
    const result = await control()
    if (result.status === 'passed') return []
    if (result.status === 'unavailable')
      return [problem(`cannot simulate: ${result.reason}`, 'Use a node that simulates transactions.')]
    const reason = shorten(result.reason)
    if (result.kind === 'simulations-refused')
      return [
        warning(`refuses a simulated request: ${reason}`, 'Check SERVICE_BRAND and the wallet’s funds.')
      ]
    const { action } = BLOCKERS[result.kind]
    return [problem(reason, action.replace('in the log line "engine ready"', wallet.address))]
  }

  /** Compares a block that all nodes should have. */
  async function compareBlocks(onChain: readonly Answering[], configured: number): Promise<Found[]> {
    if (configured < 2) {
      const detail = 'only one node is configured, so no other node can confirm its responses'
      return [warning(detail, 'Add a node of another operator.')]
    }
    if (onChain.length < 2) return []
    const height = Math.min(...onChain.map(({ status }) => status.height)) - 1
    const results = await Promise.all(
      onChain.map(async ({ node }) => {
        try {
          return { of: node.host, answer: (await node.block(height))?.hash }
        } catch (error) {
          return { of: node.host, failure: messageOf(error) }
        }
      })
    )
    const blocks = results.flatMap(({ of, answer }) => (answer === undefined ? [] : { of, answer }))
    const unread = results
      .filter(({ answer }) => answer === undefined)
      .map(({ of, failure = 'the node does not have it' }) => {
        const detail = `cannot read block ${height}: ${failure}`
        return { ...problem(detail, 'Use a node that stores blocks and their results.'), about: `node ${of}` }
      })
    const odd = outliers(blocks)
    if (odd.length > 0) {
      const detail = `contradict each other on block ${height}: ${odd.join(', ')}`
      return [...unread, problem(detail, BLOCKERS['nodes-disagree'].action)]
    }
    if (blocks.length < 2) return unread
    return [...unread, fine(`${blocks.length} of ${configured} have the same block ${height}`)]
  }

  function examineClock(onChain: readonly Answering[]): Found[] {
    if (onChain.length === 0) return []
    const ageMs = systemClock.now() - Math.max(...onChain.map(({ status }) => status.blockTime))
    const seconds = Math.round(Math.abs(ageMs) / 1000)
    if (ageMs < -MAX_AHEAD_MS)
      return [problem(`the newest block is ${seconds} s ahead of this machine`, SET_CLOCK)]
    if (ageMs <= MAX_AGE_MS) return [fine('agrees with the newest block')]
    const otherwise = 'If it is right, the chain has halted or all nodes are behind.'
    return [warning(`the newest block is ${seconds} s old`, `${SET_CLOCK} ${otherwise}`)]
  }
}
