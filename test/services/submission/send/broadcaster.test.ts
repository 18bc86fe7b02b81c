import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { UNTIL_WOKEN } from '../../../../services/async/loop.ts'
import type { BroadcastResult } from '../../../../services/chain-client/index.ts'
import { newestTx } from '../../../../services/submission/lead/slots.ts'
import { createBroadcaster } from '../../../../services/submission/send/broadcaster.ts'
import { test } from '../../../helpers/tap.ts'
import { type ChainScript, engineContext } from '../engine-context.ts'

const refused = (code: number, log: string, codespace = 'sdk'): BroadcastResult => ({
  status: 'refused',
  code,
  codespace,
  log
})

/** A broadcaster with one slot per list of submissions, from sequence 7 on. */
const broadcasterWith = (...slots: string[][]) => broadcasterOf(slots)

/** The same with a second node, scripted by `other`. */
async function broadcasterOf(slots: string[][], other?: Partial<ChainScript>) {
  const context = await engineContext(other && { other })
  await context.queue(...slots.flat())
  for (const ids of slots) await context.open(ids)
  let sent = 0
  const broadcaster = createBroadcaster(context.engine, () => {
    sent += 1
  })
  const slotAt = (sequence: number) => {
    const slot = context.engine.slots.get(sequence)
    if (!slot) throw new TypeError(`there is no slot ${sequence}`)
    return slot
  }
  return {
    ...context,
    broadcaster,
    slotAt,
    signedTxAt: (sequence: number) => newestTx(slotAt(sequence)),
    /** Number of times that a transaction counted as sent. */
    sent: () => sent,
    /** Advances the cursor by empty blocks. */
    async blocks(count: number) {
      for (let left = count; left > 0; left--) {
        const height = context.engine.walletState().cursorHeight + 1
        await context.engine.store.applyBlock({ height, hash: `B${height}`, time: 0, resolutions: [] })
        context.engine.setWalletState({
          ...context.engine.walletState(),
          cursorHeight: height,
          cursorHash: `B${height}`
        })
        broadcaster.blockApplied()
      }
    }
  }
}

test('slots are sent in the order of their sequences, each once while it is accepted', async t => {
  const { broadcaster, script, signedTxAt, sent, slotAt } = await broadcasterWith(['a'], ['b'])
  const bytes: Uint8Array[] = []
  script.broadcast = each => {
    bytes.push(each)
    return { status: 'accepted' }
  }
  t.equal(await broadcaster.step(), 0)
  t.equal(await broadcaster.step(), 0)
  t.equal(await broadcaster.step(), UNTIL_WOKEN)
  t.strictSame(bytes, [signedTxAt(7).bytes, signedTxAt(8).bytes])
  t.equal(sent(), 2)
  t.equal(slotAt(7).sentAt, 100)
})

test('an accepted transaction ends the blockers of sending', async t => {
  const { broadcaster, engine } = await broadcasterWith(['a'])
  const kinds = ['insufficient-funds', 'fee-too-high', 'signature-refused', 'transactions-refused'] as const
  for (const kind of kinds) engine.blockers.raise(kind, 'x')
  await broadcaster.step()
  t.strictSame(engine.blockers.present, [])
})

test('a transaction that a block had before its response came ends them too', async t => {
  const { broadcaster, engine, script } = await broadcasterWith(['a'])
  const kinds = ['insufficient-funds', 'fee-too-high', 'signature-refused', 'transactions-refused'] as const
  for (const kind of kinds) engine.blockers.raise(kind, 'x')
  script.broadcast = () => {
    engine.slots.remove(7)
    return { status: 'accepted' }
  }
  await broadcaster.step()
  t.equal(engine.blockers.present.length, kinds.length)
  await broadcaster.step()
  t.strictSame(engine.blockers.present, [])
})

test('the height at which a transaction was sent is that of the newest block that was read', async t => {
  const { broadcaster, engine, slotAt } = await broadcasterWith(['a'])
  Object.defineProperty(engine.blocks, 'newest', { value: 104 })
  await broadcaster.step()
  t.equal(slotAt(7).sentAt, 104)
})

test('what two blocks do not contain is sent again', async t => {
  const { broadcaster, slotAt, blocks } = await broadcasterWith(['a'], ['b'])
  await broadcaster.step()
  await broadcaster.step()
  await blocks(1)
  t.equal(slotAt(7).sentAt, 100)
  t.equal(await broadcaster.step(), UNTIL_WOKEN)
  await blocks(1)
  t.equal(slotAt(7).sentAt, undefined)
  t.equal(slotAt(8).sentAt, undefined, 'and all that follow it')
})

test('what was sent before goes to all nodes: the first may pass nothing on', async t => {
  const { broadcaster, engine, blocks } = await broadcasterWith(['a'])
  const everywhere: (boolean | undefined)[] = []
  const { broadcast } = engine.chain
  engine.chain.broadcast = (bytes, options) => {
    everywhere.push(options?.everywhere)
    return broadcast(bytes)
  }
  await broadcaster.step()
  await blocks(2)
  await broadcaster.step()
  t.strictSame(everywhere, [false, true])
})

test('an unusable answer sends every slot again', async t => {
  const { broadcaster, script, slotAt } = await broadcasterWith(['a'], ['b'])
  await broadcaster.step()
  script.broadcast = () => ({ status: 'unavailable', reason: 'no answer' })
  t.equal(await broadcaster.step(), 250)
  t.equal(slotAt(7).sentAt, undefined)
  t.equal(slotAt(8).timesSent, 0)
})

/** A node without a usable response to transactions of more than `most` messages. */
const silentAbove =
  (most: number) =>
  (bytes: Uint8Array): BroadcastResult => {
    const { messages } = TxBody.decode(TxRaw.decode(bytes).bodyBytes)
    const isLarge = messages.length > most && messages[0]?.typeUrl !== MsgSend.typeUrl
    return isLarge
      ? { status: 'unavailable', reason: 'computer says no', answered: true }
      : { status: 'accepted' }
  }

test('bytes without a usable answer, while a smaller transaction has one, are signed with half of it', async t => {
  const { broadcaster, script, slotAt, signedTxAt, engine } = await broadcasterWith(['a', 'b', 'c', 'd', 'e'])
  script.broadcast = silentAbove(1)
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 0, 'the smaller one had an answer: the bytes are sent once more')
  t.equal(slotAt(7).signedTxs.length, 1)
  t.equal(await broadcaster.step(), 0)
  t.strictSame(signedTxAt(7).submissionIds, ['a', 'b'])
  t.strictSame(['a', 'b', 'c', 'd', 'e'].map(engine.blame.together), [undefined, undefined, 2, 2, 2])
  while (slotAt(7).sentAt === undefined) await broadcaster.step()
  t.strictSame(signedTxAt(7).submissionIds, ['a'])
})

test('nothing is signed again while smaller transactions have no usable answer either', async t => {
  const { broadcaster, script, slotAt } = await broadcasterWith(['a', 'b'])
  script.broadcast = () => ({ status: 'unavailable', reason: 'mempool is full', answered: true })
  for (let times = 0; times < 10; times++) t.equal(await broadcaster.step(), 250)
  t.equal(slotAt(7).signedTxs.length, 1)
})

test('a smaller transaction that only compares can never be executed', async t => {
  const { broadcaster, script, signedTxAt } = await broadcasterWith(['a', 'b'])
  const compared: TxRaw[] = []
  script.broadcast = bytes => {
    if (!Buffer.from(bytes).equals(signedTxAt(7).bytes)) compared.push(TxRaw.decode(bytes))
    return silentAbove(1)(bytes)
  }
  await broadcaster.step()
  await broadcaster.step()
  t.match(compared, [{ signatures: [{ length: 0 }] }])
  t.equal(AuthInfo.decode(compared[0]?.authInfoBytes ?? new Uint8Array()).fee?.gasLimit, 0n)
})

test('a lone message without a usable answer is compared more often, and that counts after four rests', async t => {
  for (const earlier of [3, 4]) {
    const { broadcaster, script, signedTxAt, engine } = await broadcasterWith(['a'])
    const { blame } = engine
    for (let times = 0; times < earlier; times++) blame.rest('a')
    script.broadcast = silentAbove(0)
    t.equal(await broadcaster.step(), 250)
    for (let times = 0; times < 3; times++) {
      t.equal(await broadcaster.step(), 0)
      t.strictSame(signedTxAt(7).submissionIds, ['a'])
    }
    t.equal(await broadcaster.step(), 0)
    t.strictSame(signedTxAt(7).submissionIds, [])
    t.ok(blame.isResting('a'))
    const refusal = { code: 21, codespace: 'sdk', message: 'the tx is too large' }
    for (let times = 0; times < 2; times++) {
      t.equal(blame.convicted('a'), undefined)
      blame.failed({ suspects: ['a'], messages: 1, refusal, by: 'size' })
    }
    t.strictSame(blame.convicted('a'), earlier === 4 ? refusal : undefined)
  }
})

test('a lone message without any answer convicts nobody, however often', async t => {
  const { broadcaster, script, signedTxAt, engine } = await broadcasterWith(['a'])
  for (let times = 0; times < 10; times++) engine.blame.rest('a')
  script.broadcast = bytes => {
    const answer = silentAbove(0)(bytes)
    return answer.status === 'unavailable' ? { status: 'unavailable', reason: 'no answer' } : answer
  }
  while (signedTxAt(7).submissionIds.length > 0) await broadcaster.step()
  const refusal = { code: 21, codespace: 'sdk', message: 'the tx is too large' }
  for (let times = 0; times < 2; times++) {
    engine.blame.failed({ suspects: ['a'], messages: 1, refusal, by: 'size' })
  }
  t.equal(engine.blame.convicted('a'), undefined, 'two strikes, and not three')
})

test('bytes that a node knows count as sent three times, then it gets others', async t => {
  const { broadcaster, script, slotAt, signedTxAt, blocks } = await broadcasterWith(['a'])
  const first = signedTxAt(7)
  script.broadcast = () => ({ status: 'known' })
  for (const times of [1, 2, 3]) {
    t.equal(await broadcaster.step(), 0)
    t.match(slotAt(7), { timesSent: times, signedTxs: { length: 1 } })
    await blocks(2)
  }
  t.equal(await broadcaster.step(), 0)
  t.match(slotAt(7), { timesSent: 0, sentAt: undefined, signedTxs: { length: 2 } })
  const { hash, feeAmount, submissionIds, gasLimit } = signedTxAt(7)
  t.not(hash, first.hash)
  t.strictSame(
    { feeAmount, submissionIds, gasLimit },
    {
      feeAmount: first.feeAmount + 1n,
      submissionIds: ['a'],
      gasLimit: first.gasLimit
    }
  )
})

const mismatch = (expected: number, got: number) =>
  refused(32, `account sequence mismatch, expected ${expected}, got ${got}: incorrect account sequence`)

test('a sequence that was used counts as sent: the next blocks decide', async t => {
  const { broadcaster, script, slotAt, sent } = await broadcasterWith(['a'], ['b'])
  script.broadcast = () => mismatch(8, 7)
  t.equal(await broadcaster.step(), 0)
  t.equal(slotAt(7).sentAt, 100)
  t.equal(sent(), 1)
})

test('a node that lacks earlier transactions gets all again', async t => {
  for (const answer of [mismatch(7, 8), mismatch(8, 8), refused(32, 'incorrect account sequence')]) {
    const { broadcaster, script, slotAt } = await broadcasterWith(['a'], ['b'])
    await broadcaster.step()
    script.broadcast = () => answer
    t.equal(await broadcaster.step(), 250)
    t.equal(slotAt(7).sentAt, undefined)
    t.equal(slotAt(8).sentAt, undefined)
    t.equal(slotAt(8).signedTxs.length, 1)
  }
})

const BLOCKING = {
  'insufficient-funds': [refused(5, 'no funds'), refused(9, 'unknown address')],
  'signature-refused': [refused(4, 'signature verification failed')],
  'fee-too-high': [refused(13, 'insufficient fees; got: 1000unit required: 100001unit: insufficient fee')]
}
for (const [kind, answers] of Object.entries(BLOCKING)) {
  test(`${kind} blocks the engine and leaves the slot as it is`, async t => {
    for (const answer of answers) {
      const { broadcaster, script, engine, slotAt } = await broadcasterWith(['a'])
      script.broadcast = () => answer
      t.equal(await broadcaster.step(), 2000)
      t.match(engine.blockers.present, [{ kind }])
      t.match(slotAt(7), { sentAt: undefined, signedTxs: { length: 1 } })
    }
  })
}

const insufficientFee = (required: number) =>
  refused(13, `insufficient fees; got: 1000unit required: ${required}unit: insufficient fee`)

test('a higher required fee is paid in the same slot, up to the highest multiple of the configured price', async t => {
  for (const fee of [1001, 5000]) {
    const { broadcaster, script, signedTxAt, slotAt } = await broadcasterWith(['a', 'b'])
    script.broadcast = () => insufficientFee(fee)
    t.equal(await broadcaster.step(), 0)
    t.match(signedTxAt(7), { feeAmount: BigInt(fee), submissionIds: ['a', 'b'], gasLimit: 100_000 })
    t.equal(slotAt(7).signedTxs.length, 2)
  }
})

test('where two nodes require a higher fee, the lower one is paid', async t => {
  for (const [one, two] of [
    [3000, 2000],
    [2000, 3000]
  ] as const) {
    const { broadcaster, script, signedTxAt } = await broadcasterOf([['a']], {
      broadcast: () => insufficientFee(two)
    })
    script.broadcast = () => insufficientFee(one)
    t.equal(await broadcaster.step(), 0)
    t.equal(signedTxAt(7).feeAmount, 2000n)
  }
})

test('a fee that one node alone requires is paid when the other one accepts the bytes and no block takes them', async t => {
  const { broadcaster, script, signedTxAt, slotAt, blocks } = await broadcasterOf([['a']], {
    broadcast: () => ({ status: 'accepted' })
  })
  script.broadcast = () => insufficientFee(2000)
  t.equal(await broadcaster.step(), 0)
  t.match(slotAt(7), { sentAt: 100, signedTxs: { length: 1 } })
  await blocks(2)
  t.equal(await broadcaster.step(), 0)
  t.equal(signedTxAt(7).feeAmount, 2000n)
})

test('a fee that one node alone requires is not paid before the blocks are read that nodes have already', async t => {
  const { broadcaster, script, signedTxAt, engine, blocks } = await broadcasterOf([['a']], {
    broadcast: () => ({ status: 'accepted' })
  })
  const [node] = engine.chain.health()
  if (node) engine.chain.health = () => [{ ...node, height: 103 }]
  script.broadcast = () => insufficientFee(2000)
  for (const height of [100, 102, 104]) {
    t.equal(engine.walletState().cursorHeight, height)
    await broadcaster.step()
    t.equal(signedTxAt(7).feeAmount, 1000n)
    await blocks(2)
  }
  await broadcaster.step()
  t.equal(signedTxAt(7).feeAmount, 2000n)
})

test('a slot is signed again up to the daily limit of fees, and where that costs no more even above it', async t => {
  const { broadcaster, script, engine, slotAt, signedTxAt } = await broadcasterWith(['a', 'b'], ['c'])
  const { settings, blockers } = engine
  script.broadcast = () => insufficientFee(2000)
  settings.dailyFeeLimit = 2999n
  t.equal(await broadcaster.step(), 2000)
  t.match(blockers.present, [{ kind: 'daily-fee-limit', reason: /inOpenSlots 2000, added 1000, limit 2999/ }])
  t.equal(slotAt(7).signedTxs.length, 1)
  settings.dailyFeeLimit = 3000n
  t.equal(await broadcaster.step(), 0)
  t.equal(signedTxAt(7).feeAmount, 2000n)
  t.notOk(blockers.has('daily-fee-limit'))

  settings.dailyFeeLimit = 1n
  script.broadcast = () => refused(7, 'no')
  while (signedTxAt(7).submissionIds.length === 2) await broadcaster.step()
  t.match(signedTxAt(7), { feeAmount: 2000n, submissionIds: ['a'] })
})

test('a required fee that the slot already pays is a refusal of its content', async t => {
  const { broadcaster, script, signedTxAt } = await broadcasterWith(['a', 'b'])
  script.broadcast = () => insufficientFee(1000)
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 0)
  t.strictSame(signedTxAt(7).submissionIds, ['a'])
})

test('running out of gas in CheckTx is answered with half as much gas again, and its fee', async t => {
  const { broadcaster, script, signedTxAt } = await broadcasterWith(['a'])
  script.broadcast = () => refused(11, 'out of gas')
  t.equal(await broadcaster.step(), 0)
  t.match(signedTxAt(7), { gasLimit: 150_000, feeAmount: 1500n, submissionIds: ['a'] })
})

test('a node that always runs out of gas makes the wallet sign few transactions, and pay little', async t => {
  const { broadcaster, script, slotAt, engine } = await broadcasterWith(['a', 'b'])
  script.broadcast = () => refused(11, 'out of gas')
  while ((await broadcaster.step()) < 2000)
    t.ok(slotAt(7).signedTxs.length < 7, 'the signing comes to an end')
  t.match(engine.blockers.present, [{ kind: 'transactions-refused' }])
  for (const { gasLimit, feeAmount } of slotAt(7).signedTxs) {
    t.ok(gasLimit <= 400_000 && feeAmount <= 4000n, 'at most four times what the simulation asked for')
  }
  const signed = slotAt(7).signedTxs.length
  await broadcaster.step()
  t.equal(slotAt(7).signedTxs.length, signed, 'nothing more is signed')
})

test('a slot whose gas was zero is signed again without its messages', async t => {
  const { broadcaster, script, signedTxAt, open, queue } = await broadcasterWith()
  await queue('a')
  await open(['a'], { gasLimit: 0, feeAmount: 0n })
  script.broadcast = () => refused(11, 'out of gas')
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 0)
  t.match(signedTxAt(7), { submissionIds: [], gasLimit: 200_000 })
})

test('a refused content is halved down to a transfer of the wallet to itself', async t => {
  const { broadcaster, script, signedTxAt, slotAt, engine, store } = await broadcasterWith([
    'a',
    'b',
    'c',
    'd',
    'e'
  ])
  script.broadcast = () => refused(5, 'not the SDK’s code 5', 'other')
  for (const left of [['a', 'b'], ['a'], []]) {
    t.equal(await broadcaster.step(), 250, 'it is said again first')
    t.equal(await broadcaster.step(), 0)
    t.strictSame(signedTxAt(7).submissionIds, left)
  }
  t.match(signedTxAt(7), { gasLimit: 200_000, feeAmount: 2000n })
  t.strictSame(['a', 'b', 'c', 'd', 'e'].map(engine.blame.together), [1, 1, 2, 2, 2])
  t.match(await store.find('e'), { status: 'broadcast' }, 'those left out stay bound to the slot')
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 2000)
  t.equal(slotAt(7).signedTxs.length, 4, 'nothing else is tried')
  t.match(engine.blockers.present, [{ kind: 'transactions-refused' }])
  t.equal(engine.blame.together('a'), undefined, 'no content is at fault')
  t.equal(engine.blame.failures('a'), 0)
  t.ok(engine.blame.isResting('a'), 'the lone message rests')
  t.notOk(engine.blame.isResting('b'))
})

test('a slot that asks for more gas than blocks hold gives its messages back, and suspects none', async t => {
  const { broadcaster, script, signedTxAt, slotAt, engine } = await broadcasterWith(['a', 'b'])
  script.broadcast = () => refused(41, 'invalid gas limit')
  script.blockGas = 100_000
  t.equal(await broadcaster.step(), 250, 'a node that says so of what a block can hold is not believed')
  t.equal(signedTxAt(7).submissionIds.length, 2)
  script.blockGas = 99_999
  t.equal(await broadcaster.step(), 0)
  t.match(signedTxAt(7), { submissionIds: [], gasLimit: 200_000, feeAmount: 2000n })
  t.equal(engine.blame.together('a'), undefined)
  t.equal((await engine.blockLimits.read()).gas, 99_999, 'the next batch is packed for these blocks')
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 2000)
  t.equal(slotAt(7).signedTxs.length, 2, 'nothing else is tried')
})

test('a content that is refused once and then accepted stays as it is', async t => {
  const { broadcaster, script, slotAt } = await broadcasterWith(['a', 'b'])
  script.broadcast = () => refused(18, 'invalid')
  t.equal(await broadcaster.step(), 250)
  script.broadcast = () => ({ status: 'accepted' })
  t.equal(await broadcaster.step(), 0)
  t.match(slotAt(7), { sentAt: 100, signedTxs: { length: 1 } })
})

test('while the chain refuses the canary as well, no content is at fault', async t => {
  const { broadcaster, script, slotAt, engine } = await broadcasterWith(['a', 'b'])
  engine.setWalletState({ ...engine.walletState(), canaryPassed: true })
  script.simulate = () => ({
    status: 'failed',
    code: 3,
    codespace: 'transaction',
    log: 'the module is paused'
  })
  script.broadcast = () => refused(3, 'the module is paused', 'transaction')
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 2000)
  t.match(engine.blockers.present, [{ kind: 'requests-refused' }])
  t.equal(slotAt(7).signedTxs.length, 1)
  script.broadcast = () => ({ status: 'accepted' })
  t.equal(await broadcaster.step(), 0)
  t.strictSame(engine.blockers.present, [])
})

test('a full mempool, or a transaction that is in it, is no refusal, whatever form the answer has', async t => {
  const { broadcaster, script, slotAt } = await broadcasterWith(['a'])
  script.broadcast = () => refused(20, 'mempool is full')
  for (let times = 0; times < 5; times++) t.equal(await broadcaster.step(), 250)
  t.match(slotAt(7), { sentAt: undefined, signedTxs: { length: 1 } })
  script.broadcast = () => refused(19, 'tx already in mempool')
  t.equal(await broadcaster.step(), 0)
  t.match(slotAt(7), { sentAt: 100, signedTxs: { length: 1 } })
})

test('a node that asks for a little more each time makes the wallet sign few transactions', async t => {
  const { broadcaster, script, slotAt, signedTxAt, engine } = await broadcasterWith(['a'])
  script.broadcast = () => insufficientFee(Number(signedTxAt(7).feeAmount) + 1)
  while ((await broadcaster.step()) === 0) t.ok(slotAt(7).signedTxs.length < 16)
  t.match(engine.blockers.present, [{ kind: 'fee-too-high' }])
  t.equal(signedTxAt(7).feeAmount, 5000n)
})

test('a node that always knows the bytes makes the wallet sign few transactions', async t => {
  const { broadcaster, script, slotAt, blocks } = await broadcasterWith(['a'])
  script.broadcast = () => ({ status: 'known' })
  for (let times = 0; times < 60; times++) {
    await broadcaster.step()
    await blocks(2)
  }
  t.equal(slotAt(7).signedTxs.length, 5)
})

test('a slot that was signed often gets other bytes all the same when a node knows the present ones', async t => {
  const { broadcaster, script, slotAt, signedTxAt, blocks } = await broadcasterWith(['a'])
  script.broadcast = () => refused(13, `insufficient fees; required: ${signedTxAt(7).feeAmount + 1n}unit`)
  for (let times = 0; times < 13; times++) await broadcaster.step()
  const { length } = slotAt(7).signedTxs
  t.ok(length > 4, `signed ${length} times`)
  script.broadcast = () => ({ status: 'known' })
  for (let times = 0; times < 4; times++) {
    await broadcaster.step()
    await blocks(2)
  }
  t.equal(slotAt(7).signedTxs.length, length + 1)
})

const REPAIRS = [insufficientFee(2000), refused(11, 'out of gas'), refused(18, 'invalid')]
test('a slot that a block consumes during the broadcast, or during its repair, is left alone', async t => {
  for (const answer of REPAIRS) {
    const during = await broadcasterWith(['a', 'b'])
    during.slotAt(7).refusals = 1
    during.script.broadcast = () => {
      during.engine.slots.remove(7)
      return answer
    }
    t.equal(await during.broadcaster.step(), 0)
    t.equal((await during.engine.store.openSignedTxs()).length, 1)
    t.strictSame(during.entries, [], 'not even looked at')

    const late = await broadcasterWith(['a', 'b'])
    late.script.broadcast = () => answer
    late.slotAt(7).refusals = 1
    const { withSlotLock } = late.engine
    late.engine.withSlotLock = task => {
      late.engine.slots.remove(7)
      return withSlotLock(task)
    }
    const broadcaster = createBroadcaster(late.engine, () => {})
    await broadcaster.step()
    t.equal((await late.engine.store.openSignedTxs()).length, 1)
    t.equal(late.engine.slots.size, 0)
  }
})

test('a signed transaction is stored before it is in memory', async t => {
  const { broadcaster, script, engine } = await broadcasterWith(['a', 'b'])
  const { addSignedTx } = engine.store
  script.broadcast = () => refused(18, 'invalid')
  await broadcaster.step()
  engine.store.addSignedTx = async signedTx => {
    t.equal(engine.slots.findSignedTx(signedTx.hash), undefined)
    await addSignedTx(signedTx)
  }
  await broadcaster.step()
  t.equal((await engine.store.openSignedTxs()).length, 2)
  engine.store.addSignedTx = async () => {
    throw new Error('the disk is full')
  }
  await broadcaster.step()
  await t.rejects(broadcaster.step())
  t.equal(engine.slots.get(7)?.signedTxs.length, 2, 'nothing is sent that is not stored')
})

test('a change of node sends all again; during a broadcast its answer wakes the sender', async t => {
  const { broadcaster, script, slotAt } = await broadcasterWith(['a'])
  await broadcaster.step()
  t.ok(broadcaster.nodeChanged())
  t.equal(slotAt(7).sentAt, undefined)
  script.broadcast = () => {
    t.notOk(broadcaster.nodeChanged())
    return { status: 'unavailable', reason: 'no answer' }
  }
  t.equal(await broadcaster.step(), 250)
  t.ok(broadcaster.nodeChanged())
})
