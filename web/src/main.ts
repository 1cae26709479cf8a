import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { dress } from './lib/settings.svelte';

dress();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', dress);
mount(App, { target: document.getElementById('app') as HTMLElement });
