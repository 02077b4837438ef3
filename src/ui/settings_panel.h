// The settings panel, generated from the scene's list of fields: each group is a section, each field has the
// control of its type, with limits that are useful in the current scene.
#pragma once

#include "screen/widgets.h"
#include "session/session.h"
#include "ui/scene_panel.h"

namespace headlight::app {

/// Draws the panel for the open page into `pixels` and makes the changes.
void settings_panel(screen::Ui& ui, draw::Box pixels, ScenePanel& panel, Session& session, double now);

/// Theme, colours, scale, motion: settings of the window and not of a page, in the current panel.
void interface_controls(screen::Ui& ui, Session& session, double now);

/// The controls of these settings alone, one below the other, in the current panel: the settings of a
/// lesson's step.
void lesson_controls(screen::Ui& ui, const std::vector<std::string>& names, Session& session, double now);

}  // namespace headlight::app
