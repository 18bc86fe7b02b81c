import type { ComponentChildren, ComponentProps } from 'preact'
import { currentStep, isDone, isOpen, type Step, steps, titles } from '../state/flow.ts'
import { ExchangePanel } from './exchange-panel.tsx'
import { Icon } from './icon.tsx'

interface Props {
  step: Step
  intro: ComponentChildren
  exchange: Omit<ComponentProps<typeof ExchangePanel>, 'name'>
  children: ComponentChildren
}

/** Renders a step: its number and name and, once reached, its intro, controls, request and response. */
export function StepFrame({ step, intro, exchange, children }: Props) {
  const title = titles.value[step]
  return (
    <section
      class="step"
      id={step}
      aria-labelledby={`${step}-title`}
      data-open={isOpen(step)}
      data-current={currentStep.value === step}
      data-done={isDone(step)}
    >
      <span class="step-mark" aria-hidden="true">
        {isDone(step) ? <Icon name="check" /> : steps.indexOf(step) + 1}
      </span>
      <div class="step-body">
        <h2 id={`${step}-title`} tabIndex={-1}>
          <span class="visually-hidden">Step {steps.indexOf(step) + 1}: </span>
          {title}
          {isDone(step) && <span class="visually-hidden"> (done)</span>}
        </h2>
        {isOpen(step) && (
          <>
            <p class="intro">{intro}</p>
            {children}
            <ExchangePanel name={title} {...exchange} />
          </>
        )}
      </div>
    </section>
  )
}
