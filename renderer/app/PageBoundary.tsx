import { Component, type ReactNode } from 'react';
import { fault } from '../../shared/fault.ts';
import { FaultView } from '../parts/FaultView.tsx';
import { isNotFetched } from './not-fetched.ts';

/** A page that breaks says so in its own place; the frame, the other pages and the approvals stay usable. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override readonly state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    const { message } = this.state.error;
    if (isNotFetched(this.state.error)) return <FaultView fault={fault('part_not_loaded', message)} retry={() => location.reload()} />;
    return <FaultView fault={fault('internal', message)} retry={() => this.setState({ error: null })} />;
  }
}
