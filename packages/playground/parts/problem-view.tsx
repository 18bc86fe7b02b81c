import { useEffect, useRef } from 'preact/hooks'
import { adviceFor } from '../advice.ts'
import type { Problem } from '../service.ts'
import type { Step } from '../state/flow.ts'
import { Icon } from './icon.tsx'
import { LeavingButton } from './leaving-button.tsx'

interface Props {
  step: Step
  problem: Problem
  again?: { label: string; run: () => void }
}

/** Shows the service's error message, what to do in this step, and the advice of docs/errors.md for clients. */
export function ProblemView({ step, problem, again }: Props) {
  const { code, message, statusCode, requestId, details = [] } = problem.facts
  const { here, inClient, canRetry, isPerhaps } = adviceFor(problem, step)
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
      <dl class="advice">
        <dt>What to do</dt>
        <dd>
          <Prose text={here} />
        </dd>
        {inClient !== undefined && (
          <>
            <dt>Your client</dt>
            <dd>
              <Prose text={inClient} />
            </dd>
          </>
        )}
        {step === 'submission' && (
          <>
            <dt>Executed</dt>
            <dd>{isPerhaps ? 'Perhaps: the result is not known yet' : 'No'}</dd>
          </>
        )}
        {requestId !== undefined && (
          <>
            <dt>Request id</dt>
            <dd>
              <code>{requestId}</code>
            </dd>
          </>
        )}
      </dl>
      {again !== undefined && canRetry && (
        <LeavingButton look="secondary" onClick={again.run}>
          {again.label}
        </LeavingButton>
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
