import { setTimeout as delay } from 'node:timers/promises'
import type { ChainClient } from '../../services/chain-client/index.ts'
import { MAX_OPEN_SLOTS } from '../../services/submission/packing/packer.ts'
import { CONTROL_GAS, controlMessage } from '../../services/submission/signing/control-message.ts'
import { multiplyUp } from '../../services/submission/signing/fees.ts'
import { signTransaction } from '../../services/submission/signing/transaction.ts'
import type { OwnedStore } from '../../services/submission/store/operator-store.ts'
import type { Signer } from '../../services/wallet/signer.ts'
import { createReader, type Reader } from '../chain/read-on.ts'
import { type Context, signerOf } from '../context.ts'
import { OperatorError } from '../errors.ts'
import { accountOn } from './place.ts'

const POLL_MS = 200
/** How many polls without a block before the transactions are sent again. */
const RESEND_AFTER_POLLS = 50
/** The most sequences that the account may be behind the store: each costs the fee of a transfer. */
const MAX_GAP = 5000
/** Codes of the `sdk` codespace that no repetition cures: unauthorized, insufficient funds, insufficient fee. */
const FINAL_CODES = [4, 5, 13]

/**
 * Brings a store that was restored from a backup up to date. Transactions that were signed after the backup are
 * not in it, so:
 *  1. All blocks since are read, and what they executed is settled or recorded.
 *  2. Such transactions may still wait in a mempool. The server has at most MAX_OPEN_SLOTS open slots, so as many
 *     sequences are consumed by transfers of the wallet to itself: afterwards none of them can be executed.
 *  3. A store whose next sequence is above the account's, because a node was wrong at its first start, could execute
 *     nothing: so the sequences below that are consumed too.
 */
export async function bringUpToDate(context: Context, { node }: { node: string | undefined }): Promise<void> {
  const owned = await context.own()
  const brand = context.config.SERVICE_BRAND
  const { address } = await signerOf(owned.queries)
  const wallet = await context.wallet()
  if (wallet.address !== address) {
    throw new OperatorError(`the store belongs to the wallet ${address}, not to ${wallet.address}`)
  }
  const past = await createReader(owned, context.chain(node), brand)
  while (await past.next());
  await report(context, owned, past)

  const chain = context.chain()
  const { account } = await accountOn(chain, address)
  const { nextSequence } = await signerOf(owned.queries)
  if (nextSequence - account.sequence > MAX_GAP) {
    throw new OperatorError(
      `the store's next sequence is ${nextSequence}, and the account is at ${account.sequence}: ` +
        `more than ${MAX_GAP} transfers would be needed`
    )
  }
  const last = Math.max(account.sequence + MAX_OPEN_SLOTS, nextSequence)
  context.print(
    `Consuming the sequences ${account.sequence} to ${last - 1} with transfers of the wallet to itself.`
  )
  const present = await createReader(owned, chain, brand)
  await consumeUpTo(last, { context, owned, chain, wallet, reader: present })
  await report(context, owned, present)
  context.print('The store is up to date. The server can be started.')
}

async function report(context: Context, { queries }: OwnedStore, { findings }: Reader): Promise<void> {
  const { blocks, settled, recorded } = findings
  const { cursorHeight } = await signerOf(queries)
  context.print(
    `Read ${blocks} blocks, up to ${cursorHeight}: ${settled} submissions settled, ${recorded} unknown ones recorded.`
  )
}

/** Sends transfers and reads blocks until no sequence below `last` is left. */
async function consumeUpTo(
  last: number,
  options: { context: Context; owned: OwnedStore; chain: ChainClient; wallet: Signer; reader: Reader }
): Promise<void> {
  const { owned, chain, wallet, reader } = options
  for (;;) {
    const { account } = await accountOn(chain, wallet.address)
    while ((await signerOf(owned.queries)).cursorHeight < account.height) await reader.next()
    if (account.sequence >= last) return
    await sendTransfers(account.sequence, last, options)
    for (let polls = 0; polls < RESEND_AFTER_POLLS && !(await reader.next()); polls++) await delay(POLL_MS)
  }
}

/** Answers to broadcasts are hints, except when the wallet cannot pay. @throws OperatorError */
async function sendTransfers(
  first: number,
  last: number,
  {
    context,
    owned,
    chain,
    wallet
  }: { context: Context; owned: OwnedStore; chain: ChainClient; wallet: Signer }
): Promise<void> {
  const { SERVICE_CHAIN_DENOM: denom, SERVICE_GAS_PRICE: gasPrice } = context.config
  const feeAmount = multiplyUp(BigInt(CONTROL_GAS), gasPrice)
  const messages = [controlMessage(wallet.address, denom)]
  const signer = await signerOf(owned.queries)
  for (let sequence = first; sequence < last; sequence++) {
    const plan = { messages, sequence, gasLimit: CONTROL_GAS, feeAmount, denom }
    const { bytes } = await signTransaction(wallet, signer, plan)
    const answer = await chain.broadcast(bytes)
    if (answer.status === 'refused' && answer.codespace === 'sdk' && FINAL_CODES.includes(answer.code)) {
      throw new OperatorError(`the chain refuses the transfers (sdk ${answer.code}): ${answer.log}`)
    }
  }
}
