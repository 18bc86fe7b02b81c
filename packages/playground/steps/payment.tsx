import { Fact } from '../parts/fact.tsx'
import { likeHash, likeUuid } from '../parts/reserved.tsx'
import { approval } from '../state/approval.ts'

/** Shows the payment's ids at the payment provider and the service. */
export function Payment() {
  const { value, transactionId } = approval.value ?? {}
  return (
    <>
      <dl class="facts">
        <Fact name="transactionIdSeed" value={value} like={likeUuid} />
        <Fact name="transactionId" value={transactionId} like={likeHash} />
      </dl>
      <p class="hint">
        The transactionId identifies the payment at the payment provider. Nobody pays here: the development
        network treats every payment as made.
      </p>
    </>
  )
}
