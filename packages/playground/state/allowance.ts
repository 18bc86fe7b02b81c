import { computed, signal } from '@preact/signals'
import { createTestClient, encodeFunctionData, type Hex, http, parseAbi, parseEther } from 'viem'
import { call, waitForTransactionReceipt } from 'viem/actions'
import { approvalOf, type Permit2Option } from '../../client/index.ts'
import { Problem } from '../service.ts'
import { chainOf, poolOf, tokenOf } from './catalogue.ts'
import { createLoader } from './loadable.ts'
import { balanceOf, balanceText, hasNode, nodeOf, rpcOf } from './nodes.ts'
import { chosenSide, quote, quoteRequest } from './quote.ts'
import { transfer } from './transfer.ts'
import { payer } from './wallet.ts'

/** How long a Permit2 signature is valid, in seconds. */
const PERMIT_S = 3600

/** What the user approves on the origin chain. Undefined without a quote, and for fiat rails. */
export const tokenApproval = computed(() => {
  const pool = poolOf(transfer.originChain.value)
  const token = tokenOf(transfer.originChain.value, transfer.originSymbol.value)
  if (!quote.value || !pool?.poolAddress || !token?.address) return undefined
  return approvalOf(quote.value, pool, token, { side: chosenSide.value })
})

/** The origin chain's node, if the server reaches it. Then tokens move, and the user must approve. */
export const originRpc = computed(() => {
  const chain = transfer.originChain.value
  return hasNode(chain) ? rpcOf(chain) : undefined
})

/** The user's tokens on both chains, for display. Undefined where the server has no node. */
type Balances = readonly (string | undefined)[]

interface Approved {
  hashes: readonly Hex[]
  permit2?: Permit2Option
  before: Balances
}

const loader = createLoader<Approved>()
export const { state: allowanceState, value: approved, reset: forgetAllowance } = loader

/** Sends the transactions of the approval, each after the receipt of the one before. */
export async function approve(): Promise<void> {
  const approval = tokenApproval.value
  const chain = chainOf(transfer.originChain.value)
  const { openWallet, address, isThrowAway } = payer.value
  if (approval?.family !== 'EVM' || chain === undefined || openWallet === undefined) return
  await loader.load(async () => {
    const node = nodeOf(chain.shortName)
    const wallet = await openWallet(chain.id, rpcOf(chain.shortName))
    const send = async (call: { to: Hex; data: Hex }) => {
      const hash = await wallet.sendTransaction({ ...call, chain: null })
      const { status } = await waitForTransactionReceipt(node, { hash })
      if (status === 'success') return hash
      throw new Problem({ code: 'WALLET', message: `The transaction ${hash} was reverted.` })
    }
    const amount = BigInt(approval.amount)
    const balance = await balanceOf(chain.shortName, transfer.originSymbol.value, address)
    if (isThrowAway && balance !== undefined && balance < amount) {
      // Only a development chain gives coins and tokens to anyone.
      const faucet = createTestClient({ mode: 'anvil', transport: http(rpcOf(chain.shortName)) })
      await faucet.setBalance({ address: address as Hex, value: parseEther('1') })
      const abi = parseAbi(['function mint(address to, uint256 value)'])
      const data = encodeFunctionData({ abi, args: [address as Hex, amount] })
      await send({ to: approval.allowance.to, data })
    }
    after.value = []
    const before = await readBalances()
    const { data: allowance = '' } = await call(node, approval.allowance)
    const hashes: Hex[] = []
    for (const each of approval.transactions(allowance)) hashes.push(await send(each))
    if (approval.permit2 === undefined) return { hashes, before }
    const { data: nonce = '' } = await call(node, approval.permit2.nonce)
    const deadline = Math.floor(Date.now() / 1000) + PERMIT_S
    const typedData = approval.permit2.typedData({ chainId: chain.id, nonce, deadline })
    const permit2 = approval.permit2.option(await wallet.signTypedData(typedData), deadline)
    return { hashes, permit2, before }
  })
}

/** The balances when the transfer is final. */
export const after = signal<Balances>([])

function readBalances(): Promise<Balances> {
  const { originChain, originSymbol, originAddress, targetChain, targetSymbol, targetAddress } =
    quoteRequest.peek()
  return Promise.all([
    balanceText(originChain, originSymbol, originAddress),
    balanceText(targetChain, targetSymbol, targetAddress)
  ])
}

/** Reads the user's balances for display, once the transfer is final. */
export async function showBalancesAfter(): Promise<void> {
  if (approved.peek() !== undefined) after.value = await readBalances()
}
