import fc from 'fast-check'

/** Seed for the property tests. FUZZ_SEED=… repeats a failed run; FUZZ_SEED=random draws a new seed. */
const { FUZZ_SEED = '20250131' } = process.env
const seed = FUZZ_SEED === 'random' ? Date.now() & 0x7fffffff : Number(FUZZ_SEED)

fc.configureGlobal({ seed })

export default fc
