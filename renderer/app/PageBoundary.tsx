import { Component, type ReactNode } from 'react';
import { fault } from '../../shared/fault.ts';
import { FaultView } from '../parts/FaultView.tsx';

/** What browsers say where a part of the window could not be fetched; it is asked for anew only by a new window. */
const NOT_FETCHED = /dynamically imported module|preload CSS|importing a module script/i;

/** A page that breaks says so in its own place; the frame, the other pages and the approvals stay usable. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override readonly state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    const { message } = this.state.error;
    if (NOT_FETCHED.test(message)) return <FaultView fault={fault('host_not_running', message)} retry={() => location.reload()} />;
    return <FaultView fault={fault('internal', message)} retry={() => this.setState({ error: null })} />;
  }
}
