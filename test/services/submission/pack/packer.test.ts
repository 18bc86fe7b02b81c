import { UNTIL_WOKEN } from '../../../../services/async/loop.ts'
import { newestTx } from '../../../../services/submission/lead/slots.ts'
import { createPacker } from '../../../../services/submission/pack/packer.ts'
import { StoreCorruptError } from '../../../../services/submission/store/errors.ts'
import { test } from '../../../helpers/tap.ts'
import { type ChainScript, engineContext } from '../engine-context.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`)

/** A packer with these submissions in its queue. */
const packerWith = (...queued: string[]) => packerOf(true, queued)

/** The same on a chain where the canary has not passed yet. */
const packerOfNewChain = (...queued: string[]) => packerOf(false, queued)

async function packerOf(canaryPassed: boolean, queued: string[], other?: Partial<ChainScript>) {
  const context = await engineContext({ canaryPassed, ...(other && { other }) })
  await context.queue(...queued)
  const { slots } = context.engine
  return {
    ...context,
    step: createPacker(context.engine),
    /** The signed transaction of the newest slot. */
    packed() {
      const slot = slots.get(context.engine.walletState().nextSequence - 1)
      if (!slot) throw new TypeError('nothing was packed')
      return newestTx(slot)
    }
  }
}

const unauthorized = {
  status: 'failed',
  code: 6,
  codespace: 'sdk',
  log: 'the creator is not whitelisted: unauthorized'
} as const

test('a batch is signed with the margin over its simulated gas, and the next sequence is another one', async t => {
  const { step, engine, queue, packed, markAllSent, time, store } = await packerWith('a', 'b')
  t.equal(await step(), 0)
  const { gasLimit, feeAmount, submissionIds, sequence } = packed()
  t.strictSame(
    { gasLimit, feeAmount, submissionIds, sequence },
    {
      gasLimit: 300_000,
      feeAmount: 3000n,
      submissionIds: ['a', 'b'],
      sequence: 7
    }
  )
  markAllSent()
  time.elapsed += 1000
  await queue('c')
  t.equal(await step(), 0)
  t.match(packed(), { sequence: 8, submissionIds: ['c'] })
  t.equal(engine.walletState().nextSequence, 9)
  t.match(await store.walletState(), { nextSequence: 9 })
})

test('a batch is halved until it fits the daily limit of fees, and a lone message that does not waits', async t => {
  const { step, packed, engine, markAllSent, time } = await packerWith('a', 'b', 'c', 'd')
  const { settings, blockers } = engine
  settings.dailyFeeLimit = 3500n
  t.equal(await step(), 0)
  t.match(packed(), { feeAmount: 3000n, submissionIds: ['a', 'b'] })
  markAllSent()
  time.elapsed += 1000
  t.equal(await step(), 2000)
  t.equal(engine.slots.size, 1)
  t.match(blockers.present, [
    { kind: 'daily-fee-limit', reason: /paid 0, inOpenSlots 3000, added 1500, limit 3500/ }
  ])
  settings.dailyFeeLimit = 4500n
  t.equal(await step(), 0)
  t.match(packed(), { feeAmount: 1500n, submissionIds: ['c'] })
  t.notOk(blockers.has('daily-fee-limit'))
})

test('the fees that blocks have taken today count towards the limit, which nothing waits for when the queue is empty', async t => {
  const { step, engine, queue, open, failFirstSlot, time } = await packerWith('a')
  engine.settings.dailyFeeLimit = 5000n
  await open(['a'], { feeAmount: 4000n })
  await failFirstSlot()
  time.elapsed += 1000
  t.equal(await step(), 2000)
  t.match(engine.blockers.present, [{ reason: /paid 4000, inOpenSlots 0, added 3000, limit 5000/ }])
  await engine.store.reject('a', { code: 1, codespace: 'x', message: 'cancelled' })
  await step()
  t.strictSame(engine.blockers.present, [])
  await queue('b')
  t.equal(await step(), 2000)
})

test('fees of the day that cannot be read count as the limit, and the log says why', async t => {
  const { step, engine, entries, store } = await packerWith('a')
  const { feesPaidToday } = store
  engine.settings.dailyFeeLimit = 5000n
  store.feesPaidToday = () => Promise.reject(new StoreCorruptError('fee_day', 'unknown', 'amount'))
  t.equal(await step(), 2000)
  t.match(engine.blockers.present, [{ kind: 'daily-fee-limit', reason: /fee_day/ }])
  t.match(entries.at(-1), { level: 'error', fields: { reason: /fee_day/ } })
  store.feesPaidToday = feesPaidToday
  t.equal(await step(), 0)
  t.strictSame(engine.blockers.present, [])
})

test('nothing is packed while a slot is to be sent, nor while 64 slots are open', async t => {
  const { step, queue, open, markAllSent, simulations, packed, time } = await packerWith(...ids(64))
  for (const id of ids(63)) await open([id])
  time.elapsed += 1000
  t.equal(await step(), UNTIL_WOKEN, 'a slot is to be sent')
  markAllSent()
  t.equal(await step(), 0)
  t.match(packed(), { submissionIds: ['id-63'] })
  markAllSent()
  await queue('late')
  time.elapsed += 1000
  t.equal(await step(), UNTIL_WOKEN, '64 slots are open')
  t.strictSame(simulations, [1, 1], 'the first figure of gas is asked for twice')
})

test('nothing is packed while the open slots ask for two blocks of gas', async t => {
  const { step, open, markAllSent, simulations, time, engine } = await packerWith(...ids(9))
  for (const id of ids(7)) await open([id], { gasLimit: 2_500_000 })
  await open(['id-7'], { gasLimit: 2_499_999 })
  markAllSent()
  time.elapsed += 1000
  t.equal(await step(), 0)
  t.equal(engine.slots.size, 9)
  const full = await packerWith(...ids(9))
  for (const id of ids(8)) await full.open([id], { gasLimit: 2_500_000 })
  full.markAllSent()
  full.time.elapsed += 1000
  t.equal(await full.step(), UNTIL_WOKEN)
  t.equal(simulations.length, 2)
  t.equal(full.simulations.length, 0)
})

test('a transaction asks for the gas that is left in the block, when a message fits there', async t => {
  const { step, open, markAllSent, time, packed, queue } = await packerWith('a')
  t.equal(await step(), 0)
  t.equal(packed().gasLimit, 150_000)
  await queue(...ids(21))
  // 10,000,000 of the block, less 150,000 and 8,950,000: 900,000 are left, which is six messages.
  await open(ids(1), { gasLimit: 8_950_000 })
  markAllSent()
  time.elapsed += 1000
  t.equal(await step(), 0)
  t.match(packed(), { gasLimit: 900_000, submissionIds: { length: 6 } })
})

test('a batch has at most a quarter of the bytes of a block, and at least one message', async t => {
  const { step, script, packed } = await packerWith(...ids(9))
  // Each message of four bytes has 100 bytes of overhead.
  script.blockBytes = 4 * 3 * 104
  t.equal(await step(), 0)
  t.equal(packed().submissionIds.length, 3)
  const small = await packerWith(...ids(2))
  small.script.blockBytes = 1
  t.equal(await small.step(), 0)
  t.equal(small.packed().submissionIds.length, 1)
})

test('a batch has at most 500 messages, once simulations are quick', async t => {
  const { step, script, packed, markAllSent, time } = await packerWith(...ids(1100))
  script.simulate = messages => ({ status: 'passed', gasUsed: messages })
  const sizes = []
  for (let batches = 0; batches < 3; batches++) {
    t.equal(await step(), 0)
    sizes.push(packed().submissionIds.length)
    markAllSent()
    time.elapsed += 1000
  }
  t.strictSame(sizes, [128, 256, 500])
})

test('messages that failed together share half of that transaction, and not with others', async t => {
  const { step, engine, packed, markAllSent, time } = await packerWith(...ids(4))
  engine.blame.together = id => (id === 'id-3' ? 1 : id === 'id-2' ? undefined : 2)
  const batches = []
  for (let steps = 0; steps < 3; steps++) {
    t.equal(await step(), 0)
    batches.push(packed().submissionIds)
    markAllSent()
    time.elapsed += 1000
  }
  t.strictSame(batches, [['id-0', 'id-1'], ['id-2'], ['id-3']])
})

test('a batch gathers longer the more slots are open, and not when it is full', async t => {
  const { step, open, markAllSent, queue, time } = await packerWith(...ids(4))
  for (const id of ids(3)) await open([id])
  markAllSent()
  t.equal(await step(), 0, 'nothing was signed lately')
  markAllSent()
  await queue('e')
  t.equal(await step(), 8, 'two milliseconds for each of four slots')
  time.elapsed += 8
  t.equal(await step(), 0)
})

test('a clock that is set back delays no batch', async t => {
  const { step, queue, packed, markAllSent, time } = await packerWith('a')
  t.equal(await step(), 0)
  markAllSent()
  time.now -= 60_000
  time.elapsed += 2
  await queue('b')
  t.equal(await step(), 0)
  t.match(packed(), { submissionIds: ['b'] })
})

test('a lone message may ask for a whole block, and is refused when it needs more', async t => {
  const fitting = await packerWith('a')
  fitting.script.simulate = () => ({ status: 'passed', gasUsed: 8_000_000 })
  t.equal(await fitting.step(), 0)
  t.equal(fitting.packed().gasLimit, 10_000_000, 'the margin is cut off')
  t.strictSame(fitting.settled, [])

  const tooBig = await packerWith('a')
  tooBig.script.simulate = (_messages, _isControl, isCanary) => ({
    status: 'passed',
    gasUsed: isCanary ? 100_000 : 10_000_001
  })
  for (const pauseMs of [250, 500]) {
    t.equal(await tooBig.step(), 0)
    t.equal(await tooBig.step(), pauseMs, 'it is asked again later')
    t.strictSame(tooBig.settled, [])
    tooBig.time.elapsed += pauseMs
  }
  t.equal(await tooBig.step(), 0)
  t.match(tooBig.settled, [{ submissionId: 'a', status: 'rejected', error: { code: 41, codespace: 'sdk' } }])
})

test('a batch that asks for too much gas is cut to the part that fits, at least one message', async t => {
  const { step, script, simulations, packed } = await packerWith('a', 'b')
  script.simulate = messages => ({ status: 'passed', gasUsed: 5_000_000 * messages })
  t.equal(await step(), 0)
  t.strictSame(simulations, [2, 2, 1])
  t.match(packed(), { submissionIds: ['a'], gasLimit: 7_500_000 })
})

test('a message that fails alone asks for more gas each time, and is refused after three times', async t => {
  const { step, packed, markAllSent, failFirstSlot, time, settled } = await packerWith('a')
  const limits: number[] = []
  for (let failures = 0; failures < 3; failures++) {
    time.elapsed += 1000
    t.equal(await step(), 0)
    limits.push(packed().gasLimit)
    markAllSent()
    await failFirstSlot()
    t.strictSame(settled, [])
  }
  t.strictSame(limits, [150_000, 300_000, 600_000])
  t.equal(await step(), 0)
  t.match(settled, [{ submissionId: 'a', status: 'rejected', error: { code: 11, message: 'out of gas' } }])
})

test('a message that failed three times is not refused while the chain refuses the canary, or says nothing', async t => {
  const { step, script, engine, markAllSent, failFirstSlot, time, settled } = await packerWith('a')
  const { simulate } = script

  async function failThreeTimes(): Promise<void> {
    for (let failures = 0; failures < 3; failures++) {
      time.elapsed += 1000
      await step()
      markAllSent()
      await failFirstSlot()
    }
  }

  await failThreeTimes()
  script.simulate = () => ({ status: 'unavailable', late: false, reason: 'no answer' })
  t.equal(await step(), 250)
  script.simulate = () => unauthorized
  t.equal(await step(), 2000)
  t.strictSame(settled, [])
  script.simulate = simulate
  await failThreeTimes()
  t.strictSame(settled, [], 'what failed before that does not count')
  t.equal(await step(), 0)
  t.match(settled, [{ submissionId: 'a', status: 'rejected' }])
  t.ok(engine.slots.size === 0)
})

const paused = (messages: number) => ({
  status: 'failed' as const,
  code: 3,
  codespace: 'transaction',
  log: `failed to execute message; message index: ${messages - 1}: the module is paused`
})

test('a chain that refuses the canary, which it passed before, refuses no submission', async t => {
  const { step, script, settled, engine, packed } = await packerWith('a', 'b')
  const { simulate } = script
  script.simulate = () => paused(1)
  t.equal(await step(), 2000)
  t.match(engine.blockers.present, [{ kind: 'requests-refused', reason: /paused/ }])
  t.strictSame(settled, [])
  script.simulate = simulate
  t.equal(await step(), 0)
  t.strictSame(engine.blockers.present, [])
  t.match(packed(), { submissionIds: ['a', 'b'] })
})

test('while the chain refuses all requests, a new submission costs the simulation of the canary alone', async t => {
  const { step, script, queue, simulations } = await packerWith(...ids(20))
  script.simulate = () => paused(1)
  t.equal(await step(), 2000)
  const before = simulations.length
  await queue('another')
  t.equal(await step(), 2000)
  t.strictSame(simulations.slice(before), [1])
})

test('a chain that never passed the canary refuses the message that it names, and passes a transfer', async t => {
  const { step, script, settled, engine } = await packerOfNewChain('a', 'b')
  script.simulate = (_, isControl) => (isControl ? { status: 'passed', gasUsed: 1 } : paused(1))
  t.equal(await step(), 0)
  t.match(settled, [{ submissionId: 'a', error: { code: 3, codespace: 'transaction' } }])
  t.strictSame(engine.blockers.present, [])
})

test('a canary that passed once is not known to pass: a node may be wrong', async t => {
  const { step, script, settled } = await packerOfNewChain('a')
  const { simulate } = script
  script.simulate = (...asked) => {
    script.simulate = (_, isControl) => (isControl ? { status: 'passed', gasUsed: 1 } : paused(1))
    return simulate(...asked)
  }
  t.equal(await step(), 0)
  t.match(settled, [{ submissionId: 'a', status: 'rejected' }])
})

test('a message that is refused, but not beside the canary, is signed: the block decides', async t => {
  const { step, script, settled, packed } = await packerWith('a')
  script.simulate = (messages, _isControl, isCanary) =>
    isCanary ? { status: 'passed', gasUsed: 100_000 * messages } : paused(1)
  t.equal(await step(), 0)
  t.strictSame(settled, [])
  t.match(packed(), { submissionIds: ['a'], gasLimit: 300_000 })
})

test('absurd gas that was said once, of a message beside the canary, refuses nobody', async t => {
  const { step, script, settled, packed } = await packerWith('a')
  script.simulate = (_messages, _isControl, isCanary) =>
    isCanary ? { status: 'passed', gasUsed: 2 ** 52 } : paused(1)
  t.equal(await step(), 250)
  t.strictSame(settled, [])
  script.simulate = messages => ({ status: 'passed', gasUsed: 100_000 * messages })
  t.equal(await step(), 0)
  t.match(packed(), { submissionIds: ['a'], gasLimit: 150_000 })
})

test('absurd gas refuses nobody until it is said again', async t => {
  const once = await packerWith('a')
  const { simulate } = once.script
  once.script.simulate = () => {
    once.script.simulate = simulate
    return { status: 'passed', gasUsed: 2 ** 52 }
  }
  t.equal(await once.step(), 0)
  t.strictSame(once.settled, [])
  t.match(once.packed(), { gasLimit: 150_000 })

  const twice = await packerWith('a')
  twice.script.simulate = () => ({ status: 'passed', gasUsed: 2 ** 52 })
  t.equal(await twice.step(), 250, 'the node says the same of the canary')
  t.strictSame(twice.settled, [])
  twice.script.simulate = (_messages, _isControl, isCanary) => ({
    status: 'passed',
    gasUsed: isCanary ? 100_000 : 2 ** 52
  })
  t.equal(await twice.step(), 0)
  t.strictSame(twice.settled, [], 'a block that is said too small twice refuses nobody either')
  twice.time.elapsed += 250
  twice.script.simulate = simulate
  t.equal(await twice.step(), 0)
  t.match(twice.packed(), { gasLimit: 150_000 })
})

test('a simulation that is too slow is tried in halves, and the next batch stays as small', async t => {
  const { step, script, simulations, packed, time, markAllSent } = await packerWith(...ids(100))
  script.simulate = messages => {
    time.elapsed += messages * 100
    if (messages > 30) return { status: 'unavailable', late: true, reason: 'time-out' }
    return { status: 'passed', gasUsed: 1000 * messages }
  }
  t.equal(await step(), 0)
  t.strictSame(simulations.slice(0, 3), [100, 50, 25])
  t.equal(packed().submissionIds.length, 25)
  markAllSent()
  time.elapsed += 1000
  simulations.length = 0
  t.equal(await step(), 0)
  t.strictSame(simulations, [25], 'a slow batch does not grow')
})

test('a batch that a node never answers is tried in halves, and a lone message is set aside', async t => {
  const { step, script, packed, time, markAllSent, entries } = await packerWith('bad', 'b', 'c', 'd')
  let holdsBad = true
  script.simulate = (messages, _isControl, isCanary) => {
    if (!isCanary && holdsBad) return { status: 'unavailable', late: false, reason: 'panic' }
    return { status: 'passed', gasUsed: 100_000 * messages }
  }
  t.equal(await step(), 0)
  t.match(entries.at(-1), { level: 'warn', fields: { submissionId: 'bad' } })
  holdsBad = false
  const packedIds: string[] = []
  for (let batches = 0; batches < 3; batches++) {
    time.elapsed += 60
    if ((await step()) !== 0) break
    packedIds.push(...packed().submissionIds)
    markAllSent()
  }
  t.strictSame(packedIds, ['b', 'c', 'd'])
  t.ok(Number.isFinite(await step()), 'it is tried again')
  time.elapsed += 250
  t.equal(await step(), 0)
  t.match(packed(), { submissionIds: ['bad'] })
})

test('a node that answers nothing sets nobody aside', async t => {
  const { step, script, simulations } = await packerWith('a', 'b')
  script.simulate = () => ({ status: 'unavailable', late: false, reason: 'no answer' })
  t.equal(await step(), 250)
  t.equal(await step(), 250)
  t.strictSame(simulations, [2, 1, 2, 1], 'the batch, and the canary')
})

test('a batch without a culprit is halved until one message is refused', async t => {
  const { step, script, simulations, settled } = await packerOfNewChain('a', 'b', 'c', 'd', 'e')
  script.simulate = (_, isControl) =>
    isControl
      ? { status: 'passed', gasUsed: 1 }
      : { status: 'failed', code: 6, codespace: 'sdk', log: 'something is wrong' }
  t.equal(await step(), 0)
  t.strictSame(simulations, [1, 5, 1, 3, 1, 2, 1, 1, 1, 1, 1], 'the canary first and after each refusal')
  t.match(settled, [{ submissionId: 'a', status: 'rejected', error: { message: 'something is wrong' } }])
})

test('many refused messages before good ones cost few simulations', async t => {
  const bad = Array.from({ length: 200 }, (_, index) => `bad-${index}`)
  const { step, script, simulations, settled, engine, markAllSent, time } = await packerWith(
    ...bad,
    ...ids(100)
  )
  script.simulate = (messages, _isControl, isCanary) => {
    if (settled.length === 200) return { status: 'passed', gasUsed: 10_000 * messages }
    const log = `failed to execute message; message index: ${isCanary ? 1 : 0}: no`
    return { status: 'failed', code: 6, codespace: 'sdk', log }
  }
  while ((await engine.store.queued(1)).length > 0) {
    await step()
    markAllSent()
    time.elapsed += 1000
  }
  t.equal(settled.length, 200)
  const simulated = simulations.reduce((sum, messages) => sum + messages, 0)
  t.ok(simulated < 1500, `${simulated} messages were simulated for 300`)
  t.ok(engine.slots.size < 10, 'the good ones still share transactions')
})

test('a lone message is not refused when the control message fails as well', async t => {
  for (const control of [
    { status: 'failed', code: 5, codespace: 'sdk', log: 'no funds' },
    { status: 'unavailable', late: false, reason: 'no answer' }
  ] as const) {
    const { step, script, settled, engine } = await packerOfNewChain('a')
    script.simulate = (_, isControl) =>
      isControl ? control : { status: 'failed', code: 6, codespace: 'sdk', log: 'something is wrong' }
    t.equal(await step(), 0)
    t.strictSame(settled, [])
    t.equal(engine.slots.size, 0)
    t.equal(await step(), 250, 'it is asked again later')
  }
})

test('a lone message is not refused by what a node said before it passed the control message', async t => {
  const { step, script, settled, packed } = await packerOfNewChain('a')
  const { simulate } = script
  script.simulate = (messages, isControl, isCanary) => {
    if (isControl) script.simulate = simulate
    return isControl
      ? simulate(messages, isControl, isCanary)
      : { status: 'failed', code: 22, codespace: 'sdk', log: 'account not found' }
  }
  t.equal(await step(), 0)
  t.strictSame(settled, [])
  t.match(packed(), { submissionIds: ['a'] })
})

test('a lone message is not refused because one node refuses it and another passes the control', async t => {
  /** Another node responds each time, or from the control that follows the message. */
  const changes = [() => true, (refusals: number) => refusals === 2]
  for (const isChanged of changes) {
    for (const packer of [await packerOfNewChain('a'), await packerWith('a')]) {
      const { step, script, settled, engine } = packer
      const { simulate } = engine.chain
      script.simulate = (_, isControl, isCanary) =>
        isControl || (isCanary && packer.simulations.length > 1)
          ? { status: 'passed', gasUsed: 1 }
          : { status: 'failed', code: 6, codespace: 'sdk', log: 'something is wrong' }
      let node = 0
      let refusals = 0
      engine.chain.simulate = async simulation => {
        if (isChanged(refusals)) node += 1
        if (simulation.messages[0]?.typeUrl === '/test.Msg') refusals += 1
        return { ...(await simulate(simulation)), node: `node-${node}` }
      }
      await step()
      t.strictSame(settled, [])
      t.equal(engine.slots.size, 0)
    }
  }
})

test('a sequence that a simulation does not expect refuses nobody', async t => {
  const { step, script, settled } = await packerWith('a')
  const log = 'account sequence mismatch, expected 9, got 7: incorrect account sequence'
  script.simulate = (_, isControl) =>
    isControl ? { status: 'passed', gasUsed: 1 } : { status: 'failed', code: 32, codespace: 'sdk', log }
  t.equal(await step(), 250)
  t.strictSame(settled, [])
})

test('a refusal of the wallet blocks the engine until a batch passes', async t => {
  const { step, script, settled, engine, packed } = await packerWith('a')
  const { simulate } = script
  script.simulate = () => unauthorized
  t.equal(await step(), 2000)
  t.ok(engine.blockers.has('wallet-not-whitelisted'))
  t.strictSame(settled, [])
  script.simulate = simulate
  t.equal(await step(), 0)
  t.notOk(engine.blockers.has('wallet-not-whitelisted'))
  t.match(packed(), { submissionIds: ['a'] })
})

test('a user’s text that reads like a refusal of the wallet refuses that submission alone', async t => {
  const { step, script, settled, engine, packed, time } = await packerWith('bad', 'good')
  const log = 'failed to execute message; message index: 0: no target "whitelist me": unauthorized'
  let canaries = 0
  script.simulate = (messages, _isControl, isCanary) => {
    if (isCanary) canaries += 1
    if (settled.length > 0) return { status: 'passed', gasUsed: 100_000 * messages }
    return { status: 'failed', code: 6, codespace: 'sdk', log: isCanary ? log.replace('0', '1') : log }
  }
  t.equal(await step(), 0)
  t.match(settled, [{ submissionId: 'bad', status: 'rejected', error: { message: /"whitelist me"/ } }])
  t.equal(canaries, 1, 'with the message in one transaction')
  t.strictSame(engine.blockers.present, [])
  time.elapsed += 1000
  t.equal(await step(), 0)
  t.match(packed(), { submissionIds: ['good'] })
})

test('a wallet that leaves the whitelist after the canary refuses no submission', async t => {
  const { step, script, settled, engine } = await packerWith('a')
  let canaries = 0
  script.simulate = (messages, _isControl, isCanary) => {
    if (!isCanary) return unauthorized
    canaries += 1
    return canaries === 1 ? { status: 'passed', gasUsed: 100_000 * messages } : unauthorized
  }
  t.equal(await step(), 2000)
  t.strictSame(settled, [])
  t.ok(engine.blockers.has('wallet-not-whitelisted'))
})

test('a wallet that is whitelisted before the canary is asked refuses no submission', async t => {
  const { step, script, settled, engine, packed } = await packerWith('a', 'b')
  const { simulate } = script
  script.simulate = () => {
    script.simulate = simulate
    return unauthorized
  }
  t.equal(await step(), 0)
  t.strictSame(settled, [])
  t.strictSame(engine.blockers.present, [])
  t.match(packed(), { submissionIds: ['a'] })
})

test('no answer to the canary confirms nothing', async t => {
  const { step, script, settled, engine } = await packerWith('a')
  script.simulate = (_messages, _isControl, isCanary) =>
    isCanary ? { status: 'unavailable', late: false, reason: 'no answer' } : unauthorized
  t.equal(await step(), 250)
  t.strictSame(settled, [])
  t.strictSame(engine.blockers.present, [])
})

test('a blocker that the sender raised ends with the canary, while nothing is queued', async t => {
  const { step, engine } = await packerWith()
  t.equal(await step(), UNTIL_WOKEN)
  engine.blockers.raise('wallet-not-whitelisted', 'unauthorized')
  t.equal(await step(), UNTIL_WOKEN)
  t.strictSame(engine.blockers.present, [])
})

test('while nothing is queued, the canary is asked once while the wallet may submit, and again after a refusal', async t => {
  const { step, script, engine, simulations, queue, markAllSent } = await packerOfNewChain()
  const { simulate } = script
  script.simulate = () => unauthorized
  t.equal(await step(), 2000)
  t.ok(engine.blockers.has('wallet-not-whitelisted'))
  script.simulate = () => ({ status: 'unavailable', late: false, reason: 'no answer' })
  t.equal(await step(), 2000)
  t.ok(engine.blockers.has('wallet-not-whitelisted'), 'no answer proves nothing')
  script.simulate = simulate
  t.equal(await step(), UNTIL_WOKEN)
  t.notOk(engine.blockers.has('wallet-not-whitelisted'))
  t.ok(engine.walletState().canaryPassed, 'said twice')
  t.equal(await step(), UNTIL_WOKEN)
  t.equal(simulations.length, 4, 'no further canary')

  await queue('a')
  script.simulate = () => unauthorized
  await step()
  await engine.store.reject('a', { code: 1, codespace: 'x', message: 'gone' })
  script.simulate = simulate
  t.equal(await step(), UNTIL_WOKEN)
  t.equal(simulations.length, 7, 'the submission, the canary that confirms its refusal, and the canary again')
  t.notOk(engine.blockers.has('wallet-not-whitelisted'))
  markAllSent()
})

test('a sequence that a foreign transaction used meanwhile is no error: the batch is packed again', async t => {
  const { step, engine, packed } = await packerWith('a')
  const { openSlot } = engine.store
  engine.store.openSlot = async signedTx => {
    engine.store.openSlot = openSlot
    const origin = 'foreign' as const
    const resolution = { sequence: 7, transactionHash: 'FOREIGN', origin, outcomes: [] }
    await engine.store.applyBlock({ height: 101, hash: 'B101', time: 0, resolutions: [resolution] })
    return openSlot(signedTx)
  }
  t.equal(await step(), 250)
  t.equal(engine.slots.size, 0)
  engine.setWalletState({ ...engine.walletState(), nextSequence: 8 })
  t.equal(await step(), 0)
  t.match(packed(), { sequence: 8, submissionIds: ['a'] })
})

test('a slot is opened in the store and then in memory, under the lock of the slots', async t => {
  const { engine } = await packerWith('a')
  const order: string[] = []
  const { openSlot } = engine.store
  const { withSlotLock, signedTxStored } = engine
  const noted =
    <Arguments extends unknown[], Result>(name: string, work: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      order.push(name)
      return work(...given)
    }
  engine.store.openSlot = noted('store', openSlot)
  const step = createPacker({
    ...engine,
    withSlotLock: async task => {
      order.push('lock')
      const result = await withSlotLock(task)
      order.push('unlock')
      return result
    },
    setWalletState: noted('wallet state', engine.setWalletState),
    signedTxStored: noted('memory', signedTxStored)
  })
  t.equal(await step(), 0)
  t.strictSame(order, ['lock', 'store', 'wallet state', 'memory', 'unlock'])
})

test('while the signer rests after a failure nothing is priced, and it is asked more and more rarely', async t => {
  const { step, engine, queue, packed, time, simulations } = await packerWith('a')
  const { wallet, blockers } = engine
  const { signDirect } = wallet
  let asked = 0
  Object.assign(wallet, {
    async signDirect() {
      asked += 1
      throw new Error('throttled')
    }
  })
  for (const rest of [1000, 2000, 4000, 8000, 10_000, 10_000]) {
    const before = asked
    t.equal(await step(), rest)
    t.equal(asked, before + 1)
    t.match(blockers.present, [{ kind: 'signer-unavailable', reason: 'throttled' }])
    const priced = simulations.length
    time.elapsed += rest - 10
    await queue(`another-${asked}`)
    t.equal(await step(), 10)
    t.equal(asked, before + 1)
    t.equal(simulations.length, priced)
    time.elapsed += 10
  }
  Object.assign(wallet, { signDirect })
  t.equal(await step(), 0)
  t.equal(packed().submissionIds.length, 7)
  t.strictSame(blockers.present, [])
})

test('without queued messages and open slots, neither the signer nor the daily fee limit is a blocker', async t => {
  const { step, engine, store, open, markAllSent } = await packerWith('a', 'b')
  Object.assign(engine.wallet, {
    async signDirect() {
      throw new Error('away')
    }
  })
  t.equal(await step(), 1000)
  engine.blockers.raise('daily-fee-limit', 'a slot that is signed again would exceed it')
  const { sequence } = await open(['b'])
  markAllSent()
  await engine.store.reject('a', { code: 1, codespace: 'operator', message: 'cancelled' })
  await step()
  const kinds = engine.blockers.present.map(({ kind }) => kind)
  t.strictSame(kinds, ['signer-unavailable', 'daily-fee-limit'], 'an open slot may have to be signed again')
  engine.slots.remove(sequence)
  await step()
  t.strictSame(engine.blockers.present, [])
  t.match(await store.find('a'), { status: 'rejected' })
})
