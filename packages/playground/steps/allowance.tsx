import { tokens } from '../code/amount.ts'
import { tokenOf } from '../state/catalogue.ts'
import { poolAddress } from '../state/pools.ts'
import { side } from '../state/quote.ts'
import { transfer } from '../state/transfer.ts'

/** Shows the allowance that the user approves in a wallet before submission, outside this service (interface 16.3). */
export function Allowance() {
  const { originChain, originSymbol } = transfer
  const amount = side.value && tokens(side.value.allowanceAmount, originSymbol.value)
  return (
    <p class="note">
      <b>The approval is simulated.</b> In production the user first approves an allowance of{' '}
      <b>{amount ?? '—'}</b> for the pool address on {originChain.value},{' '}
      <code class="address">{poolAddress.value ?? '—'}</code>. The development network assumes it.
      {tokenOf(originChain.value, originSymbol.value)?.isPermit2 && (
        <>
          {' '}
          <b>{originSymbol.value} needs a Permit2 signature here:</b> a submission must have it as{' '}
          <code>permit2</code> in its options. This page does not create one, so the submission is rejected.
        </>
      )}
    </p>
  )
}
