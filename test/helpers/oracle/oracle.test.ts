import { openAccount, sign, swap, transfer } from '../../devnet/transactions.ts'
import { startNetwork } from '../app.ts'
import { type Test, test } from '../tap.ts'
import { ownRequest } from '../transfer.ts'
import { contradictions, type Requested, readChain, type Told } from './index.ts'

const REFUSED = 'refused-by-event-1'

type Committed = Extract<Told, { status: 'committed' }>

/** Creates a block with one transaction of three messages: a transfer, a swap, and a transfer rejected by an event. */
async function executedChain(t: Test) {
  const devnet = await startNetwork(t)
  devnet.chain.pause()
  const address = devnet.addresses.development
  const feeIds = ['fee-1', 'swap-1', REFUSED] as const
  const messages = feeIds.map(feeId =>
    (feeId === 'swap-1' ? swap : transfer)(address, ownRequest(feeId).fields)
  )
  devnet.chain.submitTx(await sign(await openAccount(), messages, { gas: 2_000_000 }))
  devnet.chain.produceBlock()
  const truth = readChain(devnet, address)
  const [first, second] = truth.messages
  if (first === undefined || second === undefined) throw new TypeError('nothing was executed')
  const { hash: transactionHash, height, gasUsed, gasWanted } = first.tx
  const result = { status: 'committed', transactionHash, height, gasUsed, gasWanted } as const
  const error = { code: 400, codespace: 'transaction', message: 'the target address is refused' }
  const answers = {
    'fee-1': { ...result, submissionId: 'id-1', txId: 1, events: first.events } satisfies Committed,
    'swap-1': { ...result, submissionId: 'id-2', txId: 2, events: second.events } satisfies Committed,
    [REFUSED]: { status: 'rejected', error } satisfies Told
  }
  const pending: Told = { status: 'pending', submissionId: 'id-1' }
  const objections = (feeId: keyof typeof answers, change: Partial<Requested>) =>
    contradictions(
      truth,
      feeIds.map(id => ({ feeId: id, ...ownRequest(id), told: [answers[id]], ...(id === feeId && change) }))
    )
  return { refused: answers[REFUSED], own: answers['fee-1'], pending, objections }
}

test('reports each wrong response field with its request', async t => {
  const { own, pending, refused, objections } = await executedChain(t)
  const { error } = refused
  const rejection = /committed, but the chain rejected it: transaction 400: the target address is refused$/
  const wrong: ['fee-1' | typeof REFUSED, Told[], RegExp][] = [
    ['fee-1', [{ ...own, events: [] }], /^fee-1: events is \[\], on the chain \[{"type":"message"/],
    ['fee-1', [{ ...own, txId: 2 }], /^fee-1: txId is 2, on the chain 1$/],
    ['fee-1', [{ ...own, height: 0 }], /^fee-1: height is 0, on the chain \d+$/],
    ['fee-1', [refused], /^fee-1: rejected, but the chain never rejected it: transaction 400/],
    ['fee-1', [pending], /^fee-1: id-1 was accepted but never decided$/],
    ['fee-1', [{ ...own, submissionId: 'id-2' }], /^swap-1: id-2 is already the id of fee-1$/],
    ['fee-1', [own, { ...own, submissionId: 'id-3' }], /^fee-1: committed as id-1 and id-3$/],
    [REFUSED, [{ ...own, submissionId: 'id-3' }], rejection],
    [REFUSED, [{ ...refused, error: { ...error, code: 1 } }], /: code is 1, on the chain 400$/],
    [REFUSED, [{ ...refused, transactionHash: 'AB', height: 1 }], /: block 1 has no such rejection in AB/],
    [REFUSED, [{ ...refused, error: { ...error, codespace: 'sdk', code: 32 } }], /a wrong sequence$/]
  ]
  for (const [feeId, told, expected] of wrong) t.match(objections(feeId, { told })[0], expected)
})

test('reports executed messages that differ from their request or were never requested', async t => {
  const { objections } = await executedChain(t)
  const { fields } = ownRequest('fee-1')
  for (const name of ['amount', 'fee', 'originAddress', 'targetAddress', 'options', 'creator']) {
    const [found = ''] = objections('fee-1', { fields: { ...fields, [name]: '0x0' } })
    t.match(found, new RegExp(`^fee-1: requested: ${name} is "0x0", on the chain "`))
  }
  t.match(objections('swap-1', { feeId: 'swap-2' }), [
    /^swap-2: committed, but the chain never executed it$/,
    /^swap-1: executed in [0-9A-F]{64}, but never requested$/
  ])
})
