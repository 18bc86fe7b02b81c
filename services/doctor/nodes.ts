import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type ChainNode, createRpcNode, type NodeStatus } from '../chain-client/index.ts'
import { systemClock } from '../clock.ts'
import { messageOf, shorten } from '../errors/shown.ts'
import { createControl } from '../submission/act/examining.ts'
import { BLOCKERS } from '../submission/decide/blockers.ts'
import { listPrices, priceVerdict } from '../submission/decide/fees.ts'
import type { Signer } from '../wallet/signer.ts'
import { checking, type Finding, fine, problem, warning } from './finding.ts'

/** The timeout of a request. */
const TIMEOUT_MS = 4000

/** How far this machine's clock may differ from the newest block, in milliseconds. */
const MAX_AHEAD_MS = 5000
const MAX_AGE_MS = 60_000

/** The maximum number of blocks that a node may be behind the others. */
const MAX_LAG = 10

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
  about: string
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
  let chainId = questions.chainId
  try {
    const answering: Answering[] = []
    const away = await Promise.all(
      nodes.map(node => {
        const about = `node ${node.host}`
        return checking(about, BLOCKERS['node-unreachable'].action, async () => {
          answering.push({ node, about, status: await node.status() })
          return []
        })
      })
    )
    // Sort the nodes in the configured order.
    answering.sort((one, other) => nodes.indexOf(one.node) - nodes.indexOf(other.node))
    const foreign = outliers(answering.map(of => ({ of, answer: of.status.chainId })))
    const usual = answering.find(one => !foreign.includes(one))?.status.chainId
    chainId ??= usual
    const onChain = answering.filter(({ status }) => status.chainId === (chainId ?? status.chainId))
    const newest = Math.max(...onChain.map(({ status }) => status.height))
    const found = await Promise.all([
      ...answering.map(one =>
        checking(one.about, BLOCKERS['node-unreachable'].action, () => examine(one, chainId, newest))
      ),
      checking('nodes', BLOCKERS['nodes-disagree'].action, () => compareBlocks(onChain, nodes.length))
    ])
    return { findings: [...away.flat(), ...found.flat(), ...examineClock(onChain)], chainId }
  } finally {
    await Promise.all(nodes.map(node => node.close()))
  }

  async function examine({ node, about, status }: Answering, chain: string | undefined, newest: number) {
    const { height, blockTime, catchingUp } = status
    const age = Math.round((systemClock.now() - blockTime) / 1000)
    const state = fine(about, `chain ${status.chainId}, block ${height}, ${age} s old`)
    if (chain === undefined)
      return problem(
        about,
        `chain ${status.chainId}, but other nodes are on another chain`,
        BLOCKERS['foreign-chain'].action
      )
    if (status.chainId !== chain)
      return problem(about, `chain ${status.chainId}, not ${chain}`, BLOCKERS['foreign-chain'].action)
    if (catchingUp || newest - height > MAX_LAG)
      return warning(
        about,
        `block ${height} of ${newest}: it is behind`,
        'Wait until it has caught up, or replace it.'
      )
    const more = await Promise.all([
      examinePrice({ node, about }),
      ...(questions.address === undefined ? [] : [examineWallet({ node, about }, questions.address)])
    ])
    return [state, ...more.flat()]
  }

  async function examinePrice({ node, about }: Pick<Answering, 'node' | 'about'>): Promise<Finding[]> {
    const { fees } = questions
    const required = await node.requiredPrices()
    const detail = `requires ${listPrices(required) || 'no price'}, SERVICE_GAS_PRICE is ${fees.gasPrice}${fees.feeDenom}`
    const { action } = BLOCKERS['price-refused']
    switch (priceVerdict(required, fees)) {
      case 'refused':
        return [problem(about, detail, action)]
      case 'raised':
        return [warning(about, detail, 'Raise SERVICE_GAS_PRICE to the price that the nodes require.')]
      case 'accepted':
        return []
    }
  }

  async function examineWallet({ node, about }: Pick<Answering, 'node' | 'about'>, address: string) {
    const { fees, lowBalance, control } = questions
    const account = await node.account(address)
    const unknown = BLOCKERS['wallet-unknown'].action
    if (account === undefined) return [problem(about, `has no account for ${address}`, unknown)]
    if ('expectedPrefix' in account)
      return [problem(about, `addresses on this chain begin with ${account.expectedPrefix}`, unknown)]
    if ('typeUrl' in account)
      return [
        problem(
          about,
          `the account has the type ${shorten(account.typeUrl)}, which the service cannot read`,
          BLOCKERS['account-unsupported'].action
        )
      ]
    const balance = await node.balance(address, fees.feeDenom)
    const has = `${address} has ${balance}${fees.feeDenom}`
    const findings: Finding[] = []
    if (balance === 0n && Number(fees.gasPrice) > 0)
      findings.push(problem(about, has, BLOCKERS['insufficient-funds'].action))
    else if (lowBalance !== undefined && balance < lowBalance)
      findings.push(warning(about, `${has}, below SERVICE_DAILY_FEE_LIMIT`, 'Send the wallet funds.'))
    if (control) findings.push(...(await examineRights({ node, about }, account.sequence, control)))
    return findings
  }

  /** Asks whether the chain accepts the control message, as the engine does. */
  async function examineRights(
    { node, about }: Pick<Answering, 'node' | 'about'>,
    nextSequence: number,
    { wallet, request }: NonNullable<NodeQuestions['control']>
  ): Promise<Finding[]> {
    const { control } = createControl({
      chain: { simulate: async simulation => ({ ...(await node.simulate(simulation)), node: node.host }) },
      wallet,
      feeDenom: questions.fees.feeDenom,
      controlRequest: request,
      walletState: () => ({ nextSequence, controlPassed: false }),
      setControlPassed: async () => {}
    })
    const result = await control()
    switch (result.status) {
      case 'passed':
        return []
      case 'refused':
        if (result.kind !== 'simulations-refused')
          return [
            problem(
              about,
              shorten(result.reason),
              BLOCKERS[result.kind].action.replace('in the log line "engine ready"', wallet.address)
            )
          ]
        return [
          warning(
            about,
            `refuses a simulated request: ${shorten(result.reason)}`,
            'Check SERVICE_BRAND and the wallet’s funds.'
          )
        ]
      case 'unavailable':
        return [
          problem(about, `cannot simulate: ${result.reason}`, 'Use a node that simulates transactions.')
        ]
    }
  }

  /** Compares a block that all nodes should have. */
  async function compareBlocks(onChain: readonly Answering[], configured: number): Promise<Finding[]> {
    if (configured < 2)
      return [
        warning(
          'nodes',
          'only one node is configured, so no other node can confirm its responses',
          'Add a node of another operator.'
        )
      ]
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
    const unread = results.flatMap(({ of, failure, answer }) =>
      answer === undefined
        ? problem(
            `node ${of}`,
            `cannot read block ${height}: ${failure ?? 'the node does not have it'}`,
            'Use a node that stores blocks and their results.'
          )
        : []
    )
    const odd = outliers(blocks)
    if (odd.length > 0)
      return [
        ...unread,
        problem(
          'nodes',
          `contradict each other on block ${height}: ${odd.join(', ')}`,
          BLOCKERS['nodes-disagree'].action
        )
      ]
    return blocks.length < 2
      ? unread
      : [...unread, fine('nodes', `${blocks.length} of ${configured} have the same block ${height}`)]
  }

  function examineClock(onChain: readonly Answering[]): Finding[] {
    if (onChain.length === 0) return []
    const newest = Math.max(...onChain.map(({ status }) => status.blockTime))
    const ageMs = systemClock.now() - newest
    if (ageMs < -MAX_AHEAD_MS)
      return [
        problem(
          'clock',
          `the newest block is ${Math.round(-ageMs / 1000)} s ahead of this machine`,
          'Set the clock, with NTP.'
        )
      ]
    if (ageMs > MAX_AGE_MS)
      return [
        warning(
          'clock',
          `the newest block is ${Math.round(ageMs / 1000)} s old`,
          'Set the clock, with NTP. If it is right, the chain has halted or all nodes are behind.'
        )
      ]
    return [fine('clock', 'agrees with the newest block')]
  }
}
