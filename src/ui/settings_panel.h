// The panel of settings, made from the scene's own list of fields: each group a section, each field the
// control that its type asks for, with the limits that make sense for the rest of the scene.
#pragma once

#include "screen/widgets.h"
#include "session/session.h"
#include "ui/scene_panel.h"

namespace headlight::app {

/// Draws the panel for the open page into `pixels` and makes the changes.
void settings_panel(screen::Ui& ui, draw::Box pixels, ScenePanel& panel, Session& session, double now);

/// Theme, colours, scale, motion: what belongs to the window and to no page, in the current panel.
void interface_controls(screen::Ui& ui, Session& session, double now);

/// The controls of these settings alone, one below the other, in the current panel: what a step of a lesson
/// has at hand.
void lesson_controls(screen::Ui& ui, const std::vector<std::string>& names, Session& session, double now);

}  // namespace headlight::app
