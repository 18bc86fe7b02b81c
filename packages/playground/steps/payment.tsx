import { likeHash, likeUuid, Reserved } from '../parts/reserved.tsx'
import { approval } from '../state/approval.ts'

/** The payment's ids at the payment provider and at the service. */
export function Payment() {
  const { value, transactionId } = approval.value ?? {}
  return (
    <>
      <dl class="facts">
        <dt>transactionIdSeed</dt>
        <dd>
          <Reserved like={likeUuid}>
            <code>{value ?? '—'}</code>
          </Reserved>
        </dd>
        <dt>transactionId</dt>
        <dd>
          <Reserved like={likeHash}>
            <code>{transactionId ?? '—'}</code>
          </Reserved>
        </dd>
      </dl>
      <p class="hint">
        The payment provider knows the payment by its transactionId. Here nobody pays: the development network
        takes every payment as made.
      </p>
    </>
  )
}
