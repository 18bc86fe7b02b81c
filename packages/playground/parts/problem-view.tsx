import { useEffect, useRef } from 'preact/hooks'
import { adviceFor } from '../advice.ts'
import type { Problem } from '../problem.ts'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import { LeavingButton } from './leaving-button.tsx'

const retries: Readonly<Record<string, string>> = {
  never: 'No, the result would be the same',
  same: 'Yes, with the same request',
  later: 'Yes, later',
  'new quote': 'Yes, with a new quote'
}

interface Props {
  problem: Problem
  again?: { label: string; run: () => void }
  /** Whether the problem concerns a submission that the chain might have executed. */
  isOfSubmission?: boolean
}

/** Shows the service's error message and the advice from docs/errors.md. */
export function ProblemView({ problem, again, isOfSubmission = false }: Props) {
  const { code, message, statusCode, requestId, details = [], mayBeAccepted } = problem.facts
  const advice = adviceFor(problem)
  const isPerhaps = mayBeAccepted || advice?.executed === 'perhaps'
  // Skip details that the message repeats.
  const others = details.filter(detail => !message.endsWith(detail.message))
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Do not scroll if a field is invalid, because that field gets focus.
    if (document.querySelector('[aria-invalid="true"]') === null) {
      element.current?.scrollIntoView({ block: 'nearest' })
    }
  }, [])
  return (
    <div ref={element} class="problem" role="alert">
      <p class="problem-head">
        <Icon name="warning" />
        <code>{code}</code>
        {statusCode !== undefined && <span class="muted">HTTP {statusCode}</span>}
      </p>
      <p class="problem-message">
        <Prose text={message} />
      </p>
      {others.length > 0 && (
        <ul>
          {others.map(detail => (
            <li key={detail.path}>
              <code>{detail.path}</code> {detail.message}
            </li>
          ))}
        </ul>
      )}
      {advice !== undefined && (
        <dl class="advice">
          <dt>What to do</dt>
          <dd>
            <Prose text={advice.whatToDo} />
          </dd>
          <dt>Retry</dt>
          <dd>{retries[advice.retry] ?? advice.retry}</dd>
          {isOfSubmission && (
            <>
              <dt>Executed</dt>
              <dd>{isPerhaps ? 'Perhaps: the result is not known yet' : 'No'}</dd>
            </>
          )}
        </dl>
      )}
      {again !== undefined && advice?.retry !== 'never' && (
        <LeavingButton look="secondary" onClick={again.run}>
          {again.label}
        </LeavingButton>
      )}
      {requestId !== undefined && (
        <p class="request-id">
          <span>Request id</span> <code>{requestId}</code>
          <CopyButton text={requestId} label="Copy the request id" />
        </p>
      )}
    </div>
  )
}

/** Renders plain text. Parts in backticks become code. */
function Prose({ text }: { text: string }) {
  // Every second piece is between backticks.
  let start = 0
  return (
    <>
      {text.split('`').map((piece, index) => {
        start += piece.length + 1
        return index % 2 === 1 ? <code key={start}>{piece}</code> : piece
      })}
    </>
  )
}
